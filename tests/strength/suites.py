#!/usr/bin/env python3
"""Runs an engine over test suites.

    pip install chess
    tests/strength/suites.py best target/release/kirin wac.epd            # bm, am; 1 s a move
    tests/strength/suites.py best target/release/kirin sts.epd            # with points in c0
    tests/strength/suites.py mates target/release/kirin mate_in_4.epd 4   # go mate 4; 10 s each

`best` counts the positions whose best move (or none of whose avoid-moves) is played and, where
c0 gives points for moves, their sum. `mates` counts the mates found within the time; each claim
must come with a line that ends in mate, and a claim without one is named as wrong. Options:
Hash, the time in milliseconds, and a sample of so many positions.
"""

import argparse
import random
import re
import subprocess
import sys
import threading
import time

import chess


class Engine:
    def __init__(self, command, hash_mib):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.tell("uci")
        self.tell(f"setoption name Hash value {hash_mib}")
        self.tell("isready")
        self.until("readyok")

    def tell(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        """The lines up to the one that begins with `word`."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if line.startswith(word):
                return lines
        sys.exit("the engine ended")

    def go(self, fen, command, seconds=None):
        """The answer to a search in a new game, stopped after `seconds`."""
        self.tell("ucinewgame")
        self.tell(f"position fen {fen}")
        self.tell(command)
        timer = threading.Timer(seconds, self.tell, ["stop"]) if seconds else None
        if timer:
            timer.start()
        lines = self.until("bestmove")
        if timer:
            timer.cancel()
        return lines


def positions(path, sample):
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    if sample:
        lines = random.Random(7).sample(lines, min(sample, len(lines)))
    for line in lines:
        board = chess.Board()
        yield board, board.set_epd(line)


def best(engine, arguments):
    right = total = points = 0
    missed = []
    for number, (board, wanted) in enumerate(positions(arguments.file, arguments.sample), 1):
        answer = engine.go(board.fen(), f"go movetime {arguments.movetime}")[-1].split()[1]
        move = chess.Move.from_uci(answer)
        good = move in wanted["bm"] if "bm" in wanted else move not in wanted.get("am", [])
        table = dict(
            (board.parse_san(san), int(value))
            for san, value in re.findall(r"([^\s,=]+(?:=[QRBN])?[+#]?)=(\d+)", wanted.get("c0", "")))
        points += table.get(move, 0)
        right += good
        total += 1
        if not good:
            missed.append(wanted.get("id", str(number)))
    print(f"{arguments.file}: {right} of {total} right" + (f", {points} points" if points else ""))
    if missed and total <= 400:
        print("missed:", ", ".join(missed))
    return 0


def mates(engine, arguments):
    found = total = wrong = 0
    longest = 0.0
    for board, _ in positions(arguments.file, arguments.sample):
        begun = time.monotonic()
        lines = engine.go(board.fen(), f"go mate {arguments.moves}", arguments.movetime / 1000)
        longest = max(longest, time.monotonic() - begun)
        total += 1
        last = [line for line in lines if " score " in line and "bound" not in line][-1]
        mate = re.search(r" score mate (-?\d+)", last)
        if not mate or not 0 < int(mate[1]) <= arguments.moves:
            print("not found:", board.fen())
            continue
        try:
            for move in last.split(" pv ")[1].split():
                board.push_uci(move)
        except ValueError:
            pass
        if board.is_checkmate() and len(board.move_stack) == 2 * int(mate[1]) - 1:
            found += 1
        else:
            wrong += 1
            print("wrong or without its line:", last)
    print(f"{arguments.file}: {found} of {total} found, {wrong} wrong, longest {longest:.2f} s")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["best", "mates"])
    parser.add_argument("engine")
    parser.add_argument("file")
    parser.add_argument("moves", nargs="?", type=int, default=0)
    parser.add_argument("--hash", type=int, default=64, help="MiB")
    parser.add_argument("--movetime", type=int, help="milliseconds: 1000, for mates 10000")
    parser.add_argument("--sample", type=int, help="take so many positions at random")
    arguments = parser.parse_args()
    if arguments.movetime is None:
        arguments.movetime = 1_000 if arguments.mode == "best" else 10_000
    engine = Engine(arguments.engine, arguments.hash)
    status = (best if arguments.mode == "best" else mates)(engine, arguments)
    engine.tell("quit")
    return status


if __name__ == "__main__":
    sys.exit(main())
