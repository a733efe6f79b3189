"""A session with python-chess's engine client, as bots and analysis tools use it.

    python3 -m venv venv && venv/bin/pip install chess
    venv/bin/python tests/clients/session.py target/release/kirin

Prints a line for each part; the first thing that is wrong ends it with status 1.
"""

import sys
import time

import chess
import chess.engine


def part(name):
    print(f"{name} ...", flush=True)


def legal_line(board, line):
    board = board.copy()
    for move in line:
        assert move in board.legal_moves, f"{move} in {board.fen()}"
        board.push(move)


def options(engine):
    part("options")
    expected = {
        "Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Clear Hash", "UCI_Chess960",
        "UCI_ShowWDL", "UCI_LimitStrength", "UCI_Elo", "Skill Level", "nodestime",
        "UCI_AnalyseMode", "UCI_EngineAbout", "Debug Log File",
    }
    assert expected <= set(engine.options), expected - set(engine.options)
    assert engine.options["Hash"].default == 16
    engine.configure({"Hash": 8, "Threads": 2, "Move Overhead": 20, "UCI_ShowWDL": True})
    engine.configure({"Clear Hash": None})
    for refused in ({"Hash": 0}, {"NoSuch": 1}, {"Threads": 1000}):
        try:
            engine.configure(refused)
        except chess.engine.EngineError:
            continue
        raise AssertionError(f"{refused} was taken")
    engine.configure({"Threads": 1, "UCI_ShowWDL": False})
    engine.ping()


def play(engine):
    part("a game by the clock, with draws offered, ponder moves and information")
    board = chess.Board()
    clocks = {chess.WHITE: 15.0, chess.BLACK: 15.0}
    while not board.is_game_over(claim_draw=True) and board.ply() < 40:
        limit = chess.engine.Limit(
            white_clock=clocks[True], black_clock=clocks[False], white_inc=0.2, black_inc=0.2
        )
        begun = time.monotonic()
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        clocks[board.turn] += 0.2 - (time.monotonic() - begun)
        assert clocks[board.turn] > 0, "the flag fell"
        assert result.move in board.legal_moves
        legal_line(board, result.info.get("pv", []))
        if result.ponder:
            legal_line(board, [result.move, result.ponder])
        board.push(result.move)


def ponder(engine):
    part("pondering, with hits and misses")
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1)
    for ply in range(10):
        result = engine.play(board, limit, ponder=True)
        board.push(result.move)
        reply = result.ponder if ply % 2 == 0 and result.ponder else None
        if board.is_game_over():
            break
        time.sleep(0.05)
        board.push(reply or next(iter(board.legal_moves)))


def analysis(engine):
    part("analysis that is stopped")
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    with engine.analysis(board) as running:
        seen = 0
        for info in running:
            if "pv" in info:
                seen += 1
                legal_line(board, info["pv"])
                assert info["score"].is_mate() or abs(info["score"].relative.score()) < 30_000
            if info.get("depth", 0) >= 8:
                break
        running.stop()
        best = running.wait()
    assert seen and best.move in board.legal_moves


def multipv(engine):
    part("several lines")
    board = chess.Board()
    lines = engine.analyse(board, chess.engine.Limit(depth=7), multipv=4)
    assert [line["multipv"] for line in lines] == [1, 2, 3, 4]
    assert len({line["pv"][0] for line in lines}) == 4
    scores = [line["score"].relative for line in lines]
    assert scores == sorted(scores, reverse=True), scores
    for line in lines:
        legal_line(board, line["pv"])


def limits(engine):
    part("depth, nodes, time, mate and wanted moves")
    board = chess.Board()
    info = engine.analyse(board, chess.engine.Limit(depth=6))
    assert info["depth"] == 6
    info = engine.analyse(board, chess.engine.Limit(nodes=5000))
    assert info["nodes"] <= 5000
    begun = time.monotonic()
    engine.play(board, chess.engine.Limit(time=0.2))
    assert time.monotonic() - begun < 3
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert engine.play(board, chess.engine.Limit(depth=4), root_moves=wanted).move in wanted
    mate = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    info = engine.analyse(mate, chess.engine.Limit(mate=2))
    assert info["score"].relative == chess.engine.Mate(2), info
    over = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.play(over, chess.engine.Limit(depth=1)).move is None


def variants(engine):
    part("Chess960")
    board = chess.Board("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", chess960=True)
    for _ in range(6):
        board.push(engine.play(board, chess.engine.Limit(nodes=3000)).move)
    castling = chess.Board("4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1", chess960=True)
    move = chess.Move.from_uci("b1g1")
    assert engine.play(castling, chess.engine.Limit(depth=3), root_moves=[move]).move == move


def strength(engine):
    part("limited strength")
    board = chess.Board()
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1000})
    info = engine.analyse(board, chess.engine.Limit(time=5))
    assert info["nodes"] < 5_000, info
    engine.configure({"UCI_LimitStrength": False, "Skill Level": 2})
    assert engine.play(board, chess.engine.Limit(time=5)).move in board.legal_moves
    engine.configure({"Skill Level": 20})


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1:], timeout=30) as engine:
        assert engine.id["name"].startswith("Kirin"), engine.id
        for each in (options, play, ponder, analysis, multipv, limits, variants, strength):
            each(engine)
        part("quit")
        engine.quit()
        assert engine.returncode.result(timeout=10) == 0
    print("all is well")


if __name__ == "__main__":
    main()
