// Runs the checks in WebAssembly: node check.mjs FILE.wasm
import { readFile } from "node:fs/promises";

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), {});
const wasm = instance.exports;
const names = [];
for (let number = 0; ; number++) {
  const agreed = wasm.look_ups_that_agree(number);
  if (agreed < 0n) break;
  const start = wasm.name(number);
  const bytes = new Uint8Array(wasm.memory.buffer, start, wasm.name_length(number));
  const name = new TextDecoder().decode(bytes);
  names.push(name);
  if (agreed === 0n) throw new Error(`wasm32: ${name} disagrees with the walk`);
  console.log(`wasm32: ${name}: ${agreed} look-ups agree with the walk`);
}
if (names.join() !== "plain,fancy,overlapped,folded,compact,tiny,rbit")
  throw new Error(`wasm32: other look-ups than expected: ${names}`);
if (wasm.runtime_is_const() !== 1) throw new Error("wasm32: run time and constants differ");
if (wasm.perft_is_right() !== 1) throw new Error("wasm32: perft is wrong");
console.log("wasm32: run time agrees with constants, perft is right");
