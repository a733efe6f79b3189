#!/usr/bin/env python3
"""Plays an engine against others: every opening twice, with colours exchanged.

    pip install chess
    tests/strength/gauntlet.py --tc 8+0.08 --pairs 100 \\
        target/release/kirin 'ethereal-chess MoveOverhead=10' 'toga2 OwnBook=false'

Each engine is a command with options as NAME=VALUE. Prints the score after each pair and, for
each opponent, the Elo difference with its 95 % margin over the pairs. An illegal move, a crash or
an overstepped clock loses the game and is named; faults of the first engine make the exit
status 1.
"""

import argparse
import concurrent.futures
import math
import pathlib
import random
import shlex
import sys
import time

import chess
import chess.engine

HERE = pathlib.Path(__file__).resolve().parent
# Both sides see a decided or dead game for so many moves in a row, by so many centipawns.
DECIDED_CP, DECIDED_MOVES = 800, 4
DRAWN_CP, DRAWN_MOVES, DRAWN_FROM_PLY = 10, 8, 80
# A clock may be overstepped by this, in seconds: the pipes take time too.
CLOCK_MARGIN = 0.02
MAX_PLIES = 400


class Player:
    """An engine process for one game."""

    def __init__(self, command):
        words = shlex.split(command)
        options = dict(word.split("=", 1) for word in words if "=" in word)
        self.engine = chess.engine.SimpleEngine.popen_uci([w for w in words if "=" not in w])
        names = {name.replace(" ", "").lower(): name for name in self.engine.options}
        self.engine.configure({names[key.lower()]: value for key, value in options.items()})

    def close(self):
        try:
            self.engine.quit()
        except (chess.engine.EngineError, TimeoutError):
            self.engine.close()


def play(commands, fen, base, increment):
    """One game, `commands` for white and black. White's result in half points, and a fault as
    (colour, text) or None."""
    players = []
    try:
        for command in commands:
            players.append(Player(command))
        return moves(players, chess.Board(fen), base, increment)
    finally:
        for player in players:
            player.close()


def moves(players, board, base, increment):
    clocks = {chess.WHITE: base, chess.BLACK: base}
    decided = drawn = 0
    game = object()
    while not board.is_game_over(claim_draw=True):
        if board.ply() > MAX_PLIES or drawn >= 2 * DRAWN_MOVES and board.ply() > DRAWN_FROM_PLY:
            return 1, None
        if abs(decided) >= 2 * DECIDED_MOVES:
            return (2 if decided > 0 else 0), None
        us = board.turn
        loss = 0 if us == chess.WHITE else 2
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK],
            white_inc=increment, black_inc=increment)
        begun = time.monotonic()
        try:
            info = chess.engine.INFO_SCORE
            result = players[0 if us else 1].engine.play(board, limit, game=game, info=info)
        except chess.engine.EngineError as error:
            return loss, (us, f"{error} at {board.fen()}")
        clocks[us] += increment - (time.monotonic() - begun)
        if clocks[us] - increment < -CLOCK_MARGIN:
            return loss, (us, f"clock overstepped at {board.fen()}")
        clocks[us] = max(clocks[us], 0.001)
        if result.move not in board.legal_moves:
            return loss, (us, f"illegal move {result.move} at {board.fen()}")
        score = result.info.get("score")
        if score is not None:
            cp = score.white().score(mate_score=100_000)
            drawn = drawn + 1 if abs(cp) <= DRAWN_CP else 0
            if abs(cp) < DECIDED_CP:
                decided = 0
            elif cp > 0:
                decided = max(decided, 0) + 1
            else:
                decided = min(decided, 0) - 1
        board.push(result.move)
    outcome = board.outcome(claim_draw=True)
    return {None: 1, True: 2, False: 0}[outcome.winner], None


def elo(points):
    """Elo of a mean score from 0 to 1."""
    points = min(max(points, 0.001), 0.999)
    return -400 * math.log10(1 / points - 1)


def report(pairs):
    """Elo with its margin, from the half points of the pairs (0 to 4 each)."""
    mean = sum(pairs) / len(pairs) / 4
    variance = sum((pair / 4 - mean) ** 2 for pair in pairs) / max(len(pairs) - 1, 1)
    margin = 1.96 * math.sqrt(variance / len(pairs))
    half_width = (elo(mean + margin) - elo(mean - margin)) / 2
    return f"{2 * len(pairs)} games, {mean:.3f} of the points, {elo(mean):+.0f} +- {half_width:.0f} Elo"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("against", nargs="+")
    parser.add_argument("--tc", default="8+0.08", help="base and increment in seconds")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--openings", default=HERE / "openings.epd")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=2, help="games at once")
    arguments = parser.parse_args()
    base, increment = map(float, arguments.tc.split("+"))
    with open(arguments.openings, encoding="ascii") as file:
        openings = [line.strip() for line in file if line.strip()]
    random.Random(arguments.seed).shuffle(openings)

    def pair(opponent, number):
        fen = openings[number % len(openings)]
        points, faults = 0, []
        for white in (True, False):
            commands = (arguments.engine, opponent) if white else (opponent, arguments.engine)
            result, fault = play(commands, fen, base, increment)
            points += result if white else 2 - result
            if fault:
                faults.append((fault[0] == white, fault[1]))
        return points, faults

    own_faults = 0
    for opponent in arguments.against:
        pairs = []
        with concurrent.futures.ThreadPoolExecutor(arguments.concurrency) as pool:
            jobs = [pool.submit(pair, opponent, number) for number in range(arguments.pairs)]
            for job in concurrent.futures.as_completed(jobs):
                points, faults = job.result()
                pairs.append(points)
                for own, text in faults:
                    own_faults += own
                    print(f"fault of {arguments.engine if own else opponent}: {text}")
                print(f"{opponent}: {report(pairs)}", flush=True)
    return 1 if own_faults else 0


if __name__ == "__main__":
    sys.exit(main())
