/* A game and what surrounds it, through kirin.h alone: with a C library, or in a firmware that
 * has no more than say(), which writes a text. All is as it should be if game() returns 0. */
#include "kirin.h"

void say(const char *text);
int game(void);

#if __STDC_HOSTED__
#include <stdio.h>
void say(const char *text) { fputs(text, stdout); }
int main(void) { return game(); }
static unsigned char memory[4 << 20]; /* the full engine, or a small one */
#else
static unsigned char memory[72 << 10];
#endif

#define TEXT(number) #number
#define LINE(number) TEXT(number)
#define EXPECT(condition)                                                     \
    do {                                                                      \
        if (!(condition)) {                                                   \
            say("line " LINE(__LINE__) ": " #condition " does not hold\n");   \
            return 1;                                                         \
        }                                                                     \
    } while (0)

static int same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static void say_number(size_t number) {
    char digits[24], *first = digits + sizeof digits - 1;
    *first = 0;
    do *--first = (char)('0' + number % 10);
    while (number /= 10);
    say(first);
}

static int stops;

static uint32_t milliseconds(void *context) { return ++*(uint32_t *)context; }

static int stop(void *context) {
    (void)context;
    return ++stops > 3;
}

int game(void) {
    size_t bytes = kirin_bytes() + (32 << 10);
    EXPECT(bytes < sizeof memory);
    EXPECT(!kirin_new(NULL, bytes));
    EXPECT(!kirin_new(memory, kirin_bytes() - 1));
    /* Any alignment will do, and memory that is not clean. */
    for (size_t i = 0; i <= bytes; i++) memory[i] = 0xa5;
    kirin *engine = kirin_new(memory + 1, bytes);
    EXPECT(engine);

    uint32_t moves[KIRIN_MAX_MOVES] = {0};
    EXPECT(kirin_moves(engine, moves, KIRIN_MAX_MOVES) == 20);
    EXPECT(moves[19] && !moves[20]);
    EXPECT(kirin_moves(engine, NULL, 0) == 20);
    EXPECT(kirin_play(engine, "e2e5") == -1 && kirin_play(engine, "junk") == -1);
    EXPECT(kirin_play(engine, NULL) == -1);
    EXPECT(kirin_set_position(engine, "8/8/8/8/8/8/8/8 w - - 0 1") == -1);
    EXPECT(kirin_set_position(engine, "\xff") == -1);

    /* Both sides think, and every move is one. */
    char text[6];
    for (int ply = 0; ply < 20; ply++) {
        EXPECT(kirin_status(engine) == KIRIN_ONGOING);
        uint32_t move = kirin_think(engine, &(kirin_limits){.nodes = 1000}, NULL);
        EXPECT(kirin_nodes(engine) > 100 && kirin_nodes(engine) <= 1000);
        kirin_move_text(move, text);
        EXPECT(kirin_play(engine, text) == 0);
        say(text);
        say(ply < 19 ? " " : "\n");
    }

    /* With a handicap a search is short, and its moves differ. */
    EXPECT(kirin_set_position(engine, NULL) == 0);
    uint32_t first = 0, different = 0;
    for (uint32_t random = 0; random < 10; random++) {
        uint32_t move = kirin_think(engine, &(kirin_limits){.handicap = 20, .random = random << 8}, NULL);
        EXPECT(move && kirin_nodes(engine) <= 1000);
        if (!random) first = move;
        different += move != first;
    }
    EXPECT(different);

    /* Fool's mate is found, and then there is no move. */
    EXPECT(kirin_set_position(engine, NULL) == 0);
    EXPECT(kirin_play(engine, "f2f3") == 0 && kirin_play(engine, "e7e5") == 0);
    EXPECT(kirin_play(engine, "g2g4") == 0);
    kirin_move_text(kirin_think(engine, &(kirin_limits){.depth = 3}, NULL), text);
    EXPECT(same(text, "d8h4") && kirin_score(engine) > 30000);
    EXPECT(kirin_play(engine, "d8h4") == 0 && kirin_status(engine) == KIRIN_CHECKMATE);
    EXPECT(kirin_think(engine, NULL, NULL) == 0);
    kirin_move_text(0, text);
    EXPECT(same(text, "0000"));

    /* A search without limits is stopped, and one with a clock ends by it. */
    EXPECT(kirin_set_position(engine, NULL) == 0);
    uint32_t now = 0xfffffff0; /* about to wrap */
    kirin_host host = {.milliseconds = milliseconds, .stop = stop, .context = &now};
    EXPECT(kirin_think(engine, NULL, &host) != 0 && stops > 3);
    host.stop = NULL;
    EXPECT(kirin_think(engine, &(kirin_limits){.move_time_ms = 50}, &host) != 0);
    EXPECT(now < 1000);

    /* The third time. */
    const char *shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    for (int i = 0; i < 8; i++) {
        EXPECT(kirin_status(engine) == KIRIN_ONGOING);
        EXPECT(kirin_play(engine, shuffle[i % 4]) == 0);
    }
    EXPECT(kirin_status(engine) == KIRIN_REPETITION);

    /* Squares: a8 = 0, a1 = 56. */
    EXPECT(kirin_rook_attacks(0, 0) == 0x01010101010101feULL);
    EXPECT(kirin_rook_attacks(0, 0x102) == 0x102);
    EXPECT(kirin_bishop_attacks(0, 0) == 0x8040201008040200ULL);
    EXPECT(kirin_knight_attacks(0) == 0x20400 && kirin_king_attacks(0) == 0x302);

    size_t number = 0, sum = 0;
    kirin_table_t table;
    while (kirin_table(number, &table) == 0) {
        EXPECT(table.entries > 0 && table.name_length > 3);
        sum += table.bytes;
        number++;
    }
    EXPECT(number > 10 && sum > 20000);
    say_number(number);
    say(" tables, ");
    say_number(sum);
    say(" bytes; an engine takes ");
    say_number(kirin_bytes());
    say(" bytes\n");
    return 0;
}
