// Runs the benchmark in WebAssembly: node wasm.mjs FILE.wasm
import { readFile } from "node:fs/promises";

const module = await readFile(process.argv[2]);
const { instance } = await WebAssembly.instantiate(module, {});
console.log(`${instance.exports.kirin_bench()} ${module.length}`);
