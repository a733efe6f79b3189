//! The opening book that the user names, and moves from it.

use crate::engine::SearchJob;
use crate::files::{self, DataFile};
use crate::output;
use kirin::book::BookError;
use kirin::search::Outcome;
use kirin::uci::answer::BestMove;
use std::hash::{BuildHasher, RandomState};
use std::io;

/// A book in a file.
pub type Book = kirin::book::Book<DataFile>;

/// Opens a book.
pub fn open(text: &[u8]) -> Result<Book, BookError<io::Error>> {
    let file = files::path(text).and_then(files::open);
    Book::new(file.map_err(BookError::Read)?)
}

/// Answers with a move of the book, if there is a book and it has one.
pub fn answer(job: &SearchJob, answer: impl FnOnce(String)) -> bool {
    let Some(book) = &job.book else {
        return false;
    };
    // Each of these hashes differently, and that is all the chance which is needed.
    let random = RandomState::new().hash_one(0);
    match book.choose(&job.position.board, random) {
        Ok(Some(mv)) => {
            output::inform(format_args!("{mv} is a move of the book"));
            let outcome = Outcome {
                best: Some(mv),
                ponder: None,
                score: 0,
                depth: 0,
                nodes: 0,
            };
            answer(BestMove(&outcome).to_string());
            true
        }
        Ok(None) => false,
        Err(error) => {
            output::complain(format_args!("Book File: {error}"));
            false
        }
    }
}
