// The build's own parts: taking variables out of a runtime, telling executables apart, signing for macOS.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkSignature, signAdHoc } from "../../scripts/build/mach_o_signature.ts";
import {
  renameVariables,
  RUNTIME_VARIABLES,
  VariableCountError,
} from "../../scripts/build/rename_variables.ts";
import { binaryFormat, TARGETS } from "../../scripts/build/targets.ts";

/** Something that names every variable as often as the real runtime does. */
function runtimeText(): string {
  return RUNTIME_VARIABLES.map(({ name, count }) => `\0${name}\0`.repeat(count)).join("|");
}

describe("build: taking variables out of the runtime", () => {
  test("every name loses its first letter and nothing else changes", () => {
    const text = runtimeText();
    const bytes = Buffer.from(text);
    renameVariables(bytes);
    assert.equal(bytes.toString(), text.replaceAll("BUN_", "\0UN_"));
  });

  test("a name in the runtime's own JavaScript keeps its letter", () => {
    const bytes = Buffer.from(runtimeText().replace("\0BUN_BE_BUN\0", ".BUN_BE_BUN;"));
    renameVariables(bytes);
    assert.ok(bytes.includes(".BUN_BE_BUN;"));
  });

  test("a runtime that names a variable once more or once less is refused", () => {
    for (const { name } of RUNTIME_VARIABLES) {
      const more = Buffer.from(`${runtimeText()}${name}`);
      assert.throws(() => renameVariables(more), VariableCountError);
      const less = Buffer.from(runtimeText().replace(name, "other"));
      assert.throws(() => renameVariables(less), VariableCountError);
    }
  });
});

describe("build: executables", () => {
  const file = (fill: (view: DataView) => void) => {
    const bytes = new Uint8Array(256);
    fill(new DataView(bytes.buffer));
    return bytes;
  };

  test("the six targets have names, packages and formats of their own", () => {
    assert.equal(TARGETS.length, 6);
    assert.equal(new Set(TARGETS.map(({ name }) => name)).size, 6);
    assert.equal(new Set(TARGETS.map(({ runtimePackage }) => runtimePackage)).size, 6);
  });

  test("formats are told apart by their first bytes", () => {
    const elf = (machine: number) =>
      file((view) => {
        view.setUint32(0, 0x7f454c46);
        view.setUint16(18, machine, true);
      });
    assert.equal(binaryFormat(elf(0x3e)), "elf-x64");
    assert.equal(binaryFormat(elf(0xb7)), "elf-arm64");
    assert.equal(binaryFormat(elf(0x28)), null);
    const machO = (machine: number) =>
      file((view) => {
        view.setUint32(0, 0xfeedfacf, true);
        view.setUint32(4, machine, true);
      });
    assert.equal(binaryFormat(machO(0x01000007)), "mach-o-x64");
    assert.equal(binaryFormat(machO(0x0100000c)), "mach-o-arm64");
    const portable = file((view) => {
      view.setUint16(0, 0x4d5a);
      view.setUint32(0x3c, 128, true);
      view.setUint32(128, 0x50450000);
      view.setUint16(132, 0x8664, true);
    });
    assert.equal(binaryFormat(portable), "pe-x64");
    assert.equal(binaryFormat(file(() => {})), null);
  });
});

describe("build: signatures for macOS", () => {
  const CODE_LENGTH = 10_000;

  /** A Mach-O file with a text segment, a link-edit segment and room for a signature at its end. */
  function machO(): Uint8Array {
    const bytes = new Uint8Array(CODE_LENGTH + 64).map((_, index) => index & 0xff);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 0xfeedfacf, true);
    view.setUint32(16, 3, true); // load commands
    const segment = (at: number, name: string, from: number, length: number) => {
      view.setUint32(at, 0x19, true);
      view.setUint32(at + 4, 72, true);
      bytes.set(Buffer.from(name.padEnd(16, "\0")), at + 8);
      view.setBigUint64(at + 40, BigInt(from), true);
      view.setBigUint64(at + 48, BigInt(length), true);
    };
    segment(32, "__TEXT", 0, 8_192);
    segment(104, "__LINKEDIT", 8_192, CODE_LENGTH + 64 - 8_192);
    view.setUint32(176, 0x1d, true);
    view.setUint32(180, 16, true);
    view.setUint32(184, CODE_LENGTH, true);
    view.setUint32(188, 64, true);
    return bytes;
  }

  test("a signed file is accepted and reaches to its end", () => {
    const signed = signAdHoc(machO(), "gatehouse");
    assert.equal(checkSignature(signed), "signed");
    const view = new DataView(signed.buffer);
    assert.equal(view.getUint32(184, true) + view.getUint32(188, true), signed.length);
    assert.equal(
      Number(view.getBigUint64(144, true) + view.getBigUint64(152, true)),
      signed.length,
    );
  });

  test("a byte that changed after signing is noticed, wherever it is", () => {
    for (const at of [1_000, 5_000, CODE_LENGTH - 1]) {
      const signed = signAdHoc(machO(), "gatehouse");
      signed[at] ^= 1;
      assert.throws(() => checkSignature(signed), /changed after signing/);
    }
  });

  test("a file without a signature is said to be unsigned", () => {
    const bytes = machO();
    new DataView(bytes.buffer).setUint32(176, 0x1b, true);
    assert.equal(checkSignature(bytes), "unsigned");
  });
});
