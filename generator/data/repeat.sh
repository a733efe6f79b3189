#!/bin/sh
# Finds the committed magics again and packs them, into a directory of your choice: dense.txt, chosen.txt and
# chosen_folded.txt come out as they are here, on any machine and over any number of threads. To be called from the
# root of the repository; it takes something like an hour of one core. A search that was interrupted is taken up again.
set -eu
out=${1:?"usage: repeat.sh DIRECTORY"}
cargo build --release -p kirin-generator
tool=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/release/kirin-generator
mkdir -p "$out"
search() { file=$1; shift; "$tool" search --out "$out/$file" "$@"; }

# Keys of one bit less than the mask.
search short1.txt --seed 1 --piece rook --square a1,b1,c1,e1,d2,e2 --keys short --budget 3G
search short2.txt --seed 2 --piece rook --square a2,b2,c2,f2,g2,h2,d1,g1,h1 --keys short --budget 4831M
search short3.txt --seed 3 --piece rook --square a2,b2,c2,f2,g2,h2,d1,g1 --keys short --budget 17G

# Few used slots, whatever the key.
search any.txt --seed 1 --budget 600M
search dense.txt --seed 1 --piece bishop --budget 300M

# Combs: the upper squares, then the lower ones.
upper=$(for rank in 8 7 6 5 4 3; do for file in a b c d e f g h; do printf '%s,' $file$rank; done; done)
lower=$(for rank in 2 1; do for file in a b c d e f g h; do printf '%s,' $file$rank; done; done)
search comb1_upper.txt --seed 1 --piece rook --square "${upper%,}" --keys comb1 --budget 14495M
search comb2_upper.txt --seed 1 --piece rook --square "${upper%,}" --keys comb2 --budget 14495M
search comb4_upper.txt --seed 1 --piece rook --square "${upper%,}" --keys comb4 --budget 7247M
search comb1_lower.txt --seed 1 --piece rook --square "${lower%,}" --keys comb1 --budget 4831M

search comb1_few.txt --seed 1 --piece rook --square d4,e5,f6 --keys comb1 --budget 4126M
search comb0.txt --seed 1 --piece rook --square a4,h5,d8,f8,c8,f6,e5,f1 --keys comb0 --budget 2415M

# Guests of combs.
guests=b3,c3,d3,f3,g3,b4,c4,f4,g4,b5,g5,d4,e5,b2,g2,a2,f1,a6,a4,h5,b6,g6
for keys in guest1 guest2 guest4 spread; do
    search $keys.txt --seed 1 --piece rook --square $guests --keys $keys --budget 824M
done
for keys in guest1 guest2 guest4 spread spread16 spread32 pairs; do
    search ${keys}_bishops.txt --seed 1 --piece bishop --keys $keys --budget 268M
done

# A magic and a place for each square.
choose() {
    cd "$out"
    "$tool" choose short1.txt short2.txt short3.txt any.txt dense.txt comb1_upper.txt comb2_upper.txt comb4_upper.txt \
        comb1_lower.txt comb1_few.txt comb0.txt guest1.txt guest2.txt guest4.txt spread.txt guest1_bishops.txt \
        guest2_bishops.txt guest4_bishops.txt spread_bishops.txt spread16_bishops.txt spread32_bishops.txt \
        pairs_bishops.txt "$@"
}
choose --seed 7 --budget 80K --out chosen.txt
choose --layout folded --seed 3 --budget 60K --out chosen_folded.txt
