/** One kind of machine that a binary is made for. */
export interface Target {
  /** Our name for it, as in `gatehouse-linux-x64`. */
  readonly name: string;
  /** The npm package that holds Bun's runtime for it. */
  readonly runtimePackage: string;
  /** Bun's own name for it. */
  readonly bunName: string;
  /** What the file is called at the end. */
  readonly suffix: "" | ".exe";
  readonly format: BinaryFormat;
}

/** How executable files of a system begin. */
export type BinaryFormat = "elf-x64" | "elf-arm64" | "mach-o-x64" | "mach-o-arm64" | "pe-x64";

/** The machines that `build:all` makes a binary for. */
export const TARGETS: readonly Target[] = [
  target("linux-x64", "linux-x64", "bun-linux-x64", "elf-x64"),
  target("linux-arm64", "linux-aarch64", "bun-linux-arm64", "elf-arm64"),
  target("linux-x64-musl", "linux-x64-musl", "bun-linux-x64-musl", "elf-x64"),
  target("darwin-x64", "darwin-x64", "bun-darwin-x64", "mach-o-x64"),
  target("darwin-arm64", "darwin-aarch64", "bun-darwin-arm64", "mach-o-arm64"),
  target("windows-x64", "windows-x64", "bun-windows-x64", "pe-x64"),
];

function target(name: string, packageName: string, bunName: string, format: BinaryFormat): Target {
  const suffix = format === "pe-x64" ? ".exe" : "";
  return { name, runtimePackage: `@oven/bun-${packageName}`, bunName, suffix, format };
}

const ELF_MACHINES: Readonly<Record<number, BinaryFormat>> = { 0x3e: "elf-x64", 0xb7: "elf-arm64" };
const MACH_O_MACHINES: Readonly<Record<number, BinaryFormat>> = {
  0x01000007: "mach-o-x64",
  0x0100000c: "mach-o-arm64",
};
const PE_MACHINES: Readonly<Record<number, BinaryFormat>> = { 0x8664: "pe-x64" };

/** Reads from the first bytes of a file what kind of machine it runs on; `null` when it is none of ours. */
export function binaryFormat(bytes: Uint8Array): BinaryFormat | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = view.getUint32(0, false);
  if (first === 0x7f454c46) return ELF_MACHINES[view.getUint16(18, true)] ?? null;
  if (first === 0xcffaedfe) return MACH_O_MACHINES[view.getUint32(4, true)] ?? null;
  if (first >>> 16 === 0x4d5a) {
    const header = view.getUint32(0x3c, true);
    const isPortable = view.getUint32(header, false) === 0x50450000;
    return isPortable ? PE_MACHINES[view.getUint16(header + 4, true)] ?? null : null;
  }
  return null;
}
