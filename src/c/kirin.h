/* Kirin, a chess engine, for programs in C. Link libkirin_c.a.
 *
 * Nothing is allocated, and nothing must be initialised but the engine's memory, which the
 * program lends: kirin_bytes() of it, and whatever is more becomes the hash table.
 *
 *   static uint64_t memory[...];
 *   kirin *engine = kirin_new(memory, sizeof memory);
 *   kirin_play(engine, "e2e4");
 *   uint32_t reply = kirin_think(engine, &(kirin_limits){.nodes = 2000}, NULL);
 *
 * An engine serves one thread at a time. Squares are numbered from a8 = 0 to h1 = 63; a set of
 * squares has bit n for square n. A move is a number, 0 for none.
 */
#ifndef KIRIN_H
#define KIRIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An engine: a game's position with its past, and a search. */
typedef struct kirin kirin;

/* The most legal moves that a position has. */
#define KIRIN_MAX_MOVES 218

/* When a search ends; 0 means no such limit, and no limit at all: when it is stopped. */
typedef struct {
    uint32_t depth;        /* plies */
    uint64_t nodes;        /* positions looked at */
    uint32_t move_time_ms; /* for this move; needs a clock */
    uint32_t time_ms;      /* on the clock of the side to move; needs a clock */
    uint32_t increment_ms; /* that the clock gains each move */
    uint32_t handicap;     /* how much weaker to play: 0, the engine's strength, to 20 */
    uint32_t random;       /* with a handicap: any number; another may choose another move */
} kirin_limits;

/* What a search may ask now and then; each function may be NULL. */
typedef struct {
    uint32_t (*milliseconds)(void *context); /* the time, from any moment on; may wrap */
    int (*stop)(void *context);              /* not 0: end now. May read what an interrupt wrote */
    void *context;
} kirin_host;

/* How a game stands. */
typedef enum {
    KIRIN_ONGOING = 0,
    KIRIN_CHECKMATE = 1, /* the side to move is mated */
    KIRIN_STALEMATE = 2,
    KIRIN_FIFTY_MOVES = 3,
    KIRIN_INSUFFICIENT_MATERIAL = 4,
    KIRIN_REPETITION = 5 /* the position stands for the third time */
} kirin_status_t;

/* A generated table that lies in the program. */
typedef struct {
    const char *name; /* not ended by 0 */
    size_t name_length;
    size_t entries;
    size_t bytes;
} kirin_table_t;

/* The memory that an engine needs, in bytes, its alignment included and no hash table. */
size_t kirin_bytes(void);

/* An engine in this memory, at the starting position. NULL if there is too little of it. The
 * memory must stay untouched as long as the engine is used. */
kirin *kirin_new(void *memory, size_t bytes);

/* Sets up a position and forgets the game. NULL means the starting position. 0, or -1 if the
 * text is no FEN or its position is not accepted; then nothing changes. */
int kirin_set_position(kirin *engine, const char *fen);

/* Plays a move such as "e2e4" or "e7e8q". 0, or -1 if it is not legal; then nothing changes. */
int kirin_play(kirin *engine, const char *move);

/* Writes the legal moves to `moves`, as many as there is room for, and returns how many there
 * are. */
uint32_t kirin_moves(const kirin *engine, uint32_t *moves, uint32_t room);

/* Writes a move as text, at most five letters and a 0. "0000" for none. */
void kirin_move_text(uint32_t move, char text[6]);

/* How the game stands. */
kirin_status_t kirin_status(const kirin *engine);

/* Looks for a move; 0 if there is none. `host` may be NULL. Does not play it. */
uint32_t kirin_think(kirin *engine, const kirin_limits *limits, const kirin_host *host);

/* The nodes and the score (centipawns, for the side that was to move) of the last search. */
uint64_t kirin_nodes(const kirin *engine);
int32_t kirin_score(const kirin *engine);

/* What a piece on a square attacks on a board occupied like this. Squares above 63 are taken
 * modulo 64. */
uint64_t kirin_rook_attacks(uint32_t square, uint64_t occupied);
uint64_t kirin_bishop_attacks(uint32_t square, uint64_t occupied);
uint64_t kirin_knight_attacks(uint32_t square);
uint64_t kirin_king_attacks(uint32_t square);

/* The table with this number, from 0. 0, or -1 if there are not so many. */
int kirin_table(size_t number, kirin_table_t *table);

#ifdef __cplusplus
}
#endif

#endif
