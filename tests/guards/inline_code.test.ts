import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inlineCode, quotedTexts } from "../../src/guards/inline_code.ts";
import type { InlineLanguage } from "../../src/shell/facts.ts";

const ROWS: [InlineLanguage, string, ReturnType<typeof inlineCode>["kind"]][] = [
  ["python", "print(1)", "reads"],
  ["python", "import json,sys; print(json.load(sys.stdin)['a'])", "reads"],
  ["python", "print('os.system(1)')", "reads"],
  ["python", "x = 1 # os.system('ls')", "reads"],
  ["python", "import platform; print(platform.system())", "reads"],
  ["python", "import re; re.compile('a')", "reads"],
  ["python", "open('a').read()", "reads"],
  ["python", "open('a', 'w')", "unknown"],
  ["python", "open('a', mode='a')", "unknown"],
  ["python", "open('a', 'r+')", "unknown"],
  ["python", "from pathlib import Path; Path('a').write_text('')", "unknown"],
  ["python", "import app; app.migrate()", "unknown"],
  ["python", "import ctypes", "unknown"],
  ["python", "import shutil; shutil.rmtree('a')", "deletes"],
  ["python", "from os import unlink as u; u('a')", "deletes"],
  ["python", "import os; os.remove('a')", "deletes"],
  ["python", "import os; os.system('ls')", "starts"],
  ["python", "import subprocess as s; s.run(['ls'])", "starts"],
  ["python", "__import__('os')", "starts"],
  ["python", "eval('1')", "starts"],
  ["python", "\0", "unknown"],
  ["javascript", "console.log(process.version)", "reads"],
  ["javascript", "console.log(/a/.exec('a'))", "reads"],
  ["javascript", "console.log(1) // rmSync('a')", "reads"],
  ["javascript", "require('fs').readFileSync('a')", "reads"],
  ["javascript", "require('fs').writeFileSync('a', '')", "unknown"],
  ["javascript", "fetch('https://x')", "unknown"],
  ["javascript", "require('net')", "unknown"],
  ["javascript", "require('./x')()", "reads"],
  ["javascript", "run()", "unknown"],
  ["javascript", "require('fs').rmSync('a')", "deletes"],
  ["javascript", "fs.promises.rm('a')", "unknown"],
  ["javascript", "require('child_process').exec('ls')", "starts"],
  ["javascript", "require('node:child_process')", "starts"],
  ["javascript", "await Bun.$`ls`", "starts"],
  ["javascript", "new Function('a')()", "starts"],
  ["perl", "print 1", "reads"],
  ["perl", "unlink glob '*'", "deletes"],
  ["perl", "print `ls`", "starts"],
  ["ruby", "puts 1", "reads"],
  ["ruby", "FileUtils.rm_rf('a')", "deletes"],
  ["ruby", "%x(ls)", "starts"],
  ["php", "echo PHP_VERSION;", "reads"],
  ["php", "unlink('a');", "deletes"],
  ["php", "shell_exec('ls');", "starts"],
  ["lua", "os.execute('ls')", "starts"],
  ["awk", "{ print $1 }", "reads"],
  ["awk", "$1 > 5 { print }", "reads"],
  ["awk", "{ if ($1 > 5) print $2 }", "reads"],
  ["awk", 'BEGIN { system("ls") }', "starts"],
  ["awk", '{ print | "sh" }', "starts"],
  ["awk", '{ "date" | getline d }', "starts"],
  ["awk", '{ print > "a" }', "unknown"],
  ["sed", "s/a/b/g", "reads"],
  ["sed", "s/e/w/", "reads"],
  ["sed", "s#a/e#b#", "reads"],
  ["sed", "s/a/ls/e", "starts"],
  ["sed", "s/a/b/w out", "unknown"],
  ["sed", "1e ls", "starts"],
  ["sed", "w out", "unknown"],
  ["sed", "/a/d;/b/p", "reads"],
  ["powershell", "Get-ChildItem", "unknown"],
  ["cmd", "dir", "unknown"],
  ["unknown", "a = b", "unknown"],
  ["ruby", "File.write 'a', ''", "unknown"],
  ["ruby", "puts File.read('a')", "reads"],
  ["perl", "open F, '>a'", "unknown"],
  ["perl", "open F, 'a'; print <F>", "reads"],
];

describe("inlineCode()", () => {
  for (const [language, code, kind] of ROWS) {
    test(`${language} code ${kind}: ${JSON.stringify(code)}`, () => {
      assert.equal(inlineCode(language, code).kind, kind);
    });
  }

  test("code that is too long is not looked at", () => {
    assert.equal(inlineCode("python", "print(1);".repeat(10_000)).kind, "unknown");
  });

  test("gives the texts of code that starts programs", () => {
    const found = inlineCode("python", "import os; os.system('rm -rf ' + \"src\")");
    assert.deepEqual(found.kind === "starts" ? found.texts : null, ["rm -rf ", "src"]);
  });
});

describe("quotedTexts()", () => {
  test("gives texts without their quotes, escapes as they are", () => {
    assert.deepEqual(quotedTexts(`a("b", 'c\\'d', "")`), ["b", "c\\'d", ""]);
  });
});
