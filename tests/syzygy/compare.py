#!/usr/bin/env python3
"""Compares what Kirin and python-chess read out of the same Syzygy tables.

    pip install chess
    pip download chess --no-deps --no-binary :all:   # its source holds all tables of 3 and 4 men,
    tar xzf chess-*.tar.gz                           # in data/syzygy/regular
    tests/syzygy/compare.py target/release/kirin chess-*/data/syzygy/regular [COUNT [SEED [MEN...]]]

COUNT random positions (10,000 by default) of the men that there are WDL and DTZ tables for, or of
those named (KPvKP, say): each set of men as often as any other, and some of those with pawns so that
one of them has just passed. Verdict and distance must be equal for each. Prints what differs and the
sum; exit status 1 if anything differs.
"""

import pathlib
import random
import subprocess
import sys

import chess
import chess.syzygy


def random_board(rng, name):
    """A legal position of these men, either side to move; often with en passant where both have
    pawns."""
    while True:
        board = chess.Board(None)
        board.turn = rng.random() < 0.5
        exchanged = rng.random() < 0.5
        # Black's pawns pass on the fifth rank, white's on the fourth.
        passing = rng.random() < 0.3
        rank, behind = (4, 5) if board.turn == chess.WHITE else (3, 2)
        for side, men in enumerate(name.split("v")):
            for man in men:
                color = (side == 0) != exchanged
                ranks = range(8) if man != "P" else [rank] if passing else range(1, 7)
                squares = [chess.square(file, rank) for rank in ranks for file in range(8)]
                kind = chess.Piece.from_symbol(man).piece_type
                square = rng.choice([square for square in squares if not board.piece_at(square)])
                board.set_piece_at(square, chess.Piece(kind, color))
        if passing and (pawns := list(board.pieces(chess.PAWN, not board.turn))):
            board.ep_square = chess.square(chess.square_file(rng.choice(pawns)), behind)
        if board.is_valid():
            return board


class Kirin:
    def __init__(self, program, tables):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send(f"setoption name SyzygyPath value {tables}")
        self.said(None)

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def said(self, prefix):
        """The line with this prefix among what is said until all has been obeyed."""
        self.send("isready")
        found = None
        while (line := self.process.stdout.readline().rstrip("\n")) != "readyok":
            if not line and self.process.poll() is not None:
                sys.exit("kirin has ended")
            if "error" in line:
                sys.exit(f"kirin says: {line}")
            if prefix and line.startswith(prefix):
                found = line
        return found

    def probe(self, board):
        self.send(f"position fen {board.fen()}")
        self.send("d")
        words = (self.said("Tablebases") or "").split()
        return int(words[2]), int(words[4])


def main():
    program, directory = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    names = sorted(path.stem for path in pathlib.Path(directory).glob("*.rtbw"))
    names = [name for name in names if pathlib.Path(directory, f"{name}.rtbz").exists()]
    names = sys.argv[5:] or names
    kirin = Kirin(program, directory)
    different = en_passant = 0
    with chess.syzygy.open_tablebase(directory) as tables:
        for number in range(count):
            board = random_board(rng, names[number % len(names)])
            en_passant += board.has_legal_en_passant()
            truth = tables.probe_wdl(board), tables.probe_dtz(board)
            found = kirin.probe(board)
            if truth != found:
                different += 1
                print(f"{board.fen()}: python-chess {truth}, kirin {found}")
    print(f"{count} positions of {len(names)} tables, {en_passant} with en passant: {different} differ")
    kirin.send("quit")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
