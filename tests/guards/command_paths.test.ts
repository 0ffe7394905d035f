import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Behavior } from "../../src/call.ts";
import { type CommandPathOptions, judgeCommandPaths } from "../../src/guards/command_paths.ts";
import { judgeCommandTextPaths } from "../../src/guards/command_text.ts";
import { frozenReading } from "../shell/frozen_reading.ts";
import { type Layout, pretendedFiles, USUAL } from "./judge_line.ts";

const call = { tool: "bash", action: "", args: {} };

async function judge(
  command: string,
  options: Partial<CommandPathOptions> = {},
  layout: Layout = {},
): Promise<Behavior> {
  const result = await judgeCommandPaths(call, frozenReading(command), {
    allowed: ["/repo/app"],
    cwd: "/repo/app",
    home: "/home/u",
    fs: pretendedFiles({ ...USUAL, ...layout }),
    ...options,
  });
  return result?.behavior ?? "allow";
}

const WRITES: [string, Behavior][] = [
  ["echo x > src/a.ts", "allow"],
  ["echo x > /repo/app/a", "allow"],
  ["echo x > ../a", "deny"],
  ["echo x > /tmp/a", "allow"],
  ["echo x > /dev/null 2>&1", "allow"],
  ["echo x > ~/a", "deny"],
  ["cd .. && rm x", "deny"],
  ["cd src && rm ../x", "allow"],
  ["cd src && rm ../../x", "deny"],
  ["(cd ..; touch x); touch y", "deny"],
  ["(cd ..; ls); touch y", "allow"],
  ["cd /tmp && touch x", "allow"],
  ["cd ~ && touch x", "deny"],
  ['cd "$X" && touch x', "escalate"],
  ['cd "$X" && cat x', "allow"],
  ["cp a.txt /srv/", "deny"],
  ["cp /srv/a.txt .", "allow"],
  ["cp -t /srv a.txt", "deny"],
  ["mv /srv/a.txt .", "deny"],
  ["mv a.txt b.txt", "allow"],
  ["tee ../a /tmp/b", "deny"],
  ["sed -i s/a/b/ ../a", "deny"],
  ["sed s/a/b/ ../a", "allow"],
  ["sed -i.bak -e s/a/b/ -- ../a", "deny"],
  ["tar xf a.tar -C /srv", "deny"],
  ["tar -xf a.tar --directory=/srv", "deny"],
  ["tar czf ../a.tgz src", "deny"],
  ["tar tf ../a.tgz", "allow"],
  ["git clone https://example.net/x ../x", "deny"],
  ["dd if=a of=../b", "deny"],
  ["dd if=a of=$HOME/b", "deny"],
  ["dd if=a of=$PWD/b", "allow"],
  ['dd if=a of="$OUT"', "escalate"],
  ["tar -xf a.tar --directory=$HOME/b", "deny"],
  ["curl --output=$HOME/b https://example.net", "deny"],
  ["cp --target-directory=$HOME a", "deny"],
  ["cp --target-directory=$PWD/src a", "allow"],
  ["git archive -o ../a.tgz HEAD", "deny"],
  ["git archive --output=$HOME/a.tgz HEAD", "deny"],
  ["git format-patch -o patches HEAD~2", "allow"],
  ["git format-patch -1 -o /tmp", "allow"],
  ["git format-patch -1 --output-directory=../patches", "deny"],
  ["patch -d ../x -p1 < a.diff", "deny"],
  ["patch -d src -p1 < a.diff", "allow"],
  ["ln -s /etc/passwd here", "allow"],
  ["ln -s a /srv/b", "deny"],
  ["curl -o ../a https://example.net", "deny"],
  ["curl -o a https://example.net", "allow"],
  ["wget -P ../x https://example.net", "deny"],
  ["sort -o ../a b", "deny"],
  ["gcc -o ../a b.c", "deny"],
  ["touch {a,../b}", "deny"],
  ['touch "$PWD/../b"', "deny"],
  ["for f in a ../b; do touch $f; done", "deny"],
  ['echo x > "$OUT"', "escalate"],
  ['echo x > "out/$NAME.txt"', "allow"],
  ['echo x > "../$NAME.txt"', "deny"],
  ['OUT=../a; echo x > "$OUT"', "deny"],
  ['OUT=$(mktemp); echo x > "$OUT"', "allow"],
  ["ssh host 'echo x > /srv/a'", "allow"],
  ["docker exec web touch /srv/a", "allow"],
  ["bash -c 'cd .. && touch x'", "deny"],
  ["find /srv -name x -fprint ../out", "deny"],
];

describe("judgeCommandPaths()", () => {
  for (const [command, behavior] of WRITES) {
    test(`writes stay in the workspace: ${behavior} ${command}`, async () => {
      assert.equal(await judge(command), behavior);
    });
  }

  test("reading outside is free, asked about or refused, as the configuration says", async () => {
    assert.equal(await judge("cat /etc/hosts"), "allow");
    assert.equal(await judge("cat /etc/hosts", { outsideReads: "escalate" }), "escalate");
    assert.equal(await judge("cat a && cat /etc/hosts", { outsideReads: "deny" }), "deny");
    assert.equal(await judge("cat a", { outsideReads: "deny" }), "allow");
  });

  test("denied and write-protected paths count for commands too", async () => {
    assert.equal(await judge("head logs/app.log", { denied: ["logs/**"] }), "deny");
    assert.equal(await judge("cat <(ls) foo.txt", { denied: ["./foo.txt"] }), "deny");
    const options = { writeProtected: [".guard/**"] };
    assert.equal(await judge("cat .guard/policy.yaml", options), "allow");
    assert.equal(await judge("echo x > .guard/policy.yaml", options), "deny");
  });

  test("links are followed to where they lead", async () => {
    const layout: Layout = { "/repo/app/out": { link: "/srv/data" }, "/srv/data": "folder" };
    assert.equal(await judge("touch out/x", {}, layout), "deny");
    assert.equal(await judge("rm -rf out/", {}, layout), "deny");
    const packages: Layout = { "/repo/app/node_modules": { link: "/srv/m" }, "/srv/m": "folder" };
    assert.equal(await judge("npm ci", {}, packages), "escalate");
    assert.equal(await judge("npm ci"), "allow");
  });

  test("more folders for temporary files can be named", async () => {
    const temporary = ["/var/folders/x"];
    assert.equal(await judge("touch /var/folders/x/y"), "deny");
    assert.equal(await judge("touch /var/folders/x/y", { temporary }), "allow");
  });

  test("on Windows what is no plain name below the folder is asked about", async () => {
    const windows = { style: "windows" as const };
    assert.equal(await judge("echo x > src/a.ts", windows), "allow");
    assert.equal(await judge("echo x > ../a.ts", windows), "escalate");
    assert.equal(await judge("echo x > 'C:\\a.ts'", windows), "escalate");
    assert.equal(await judge("cat src/.env", windows), "deny");
    assert.equal(await judge("type '\\\\server\\share\\a.txt'", windows), "escalate");
  });

  test("the reason names the command, the file and where it leads", async () => {
    const options = {
      allowed: ["/repo/app"],
      cwd: "/repo/app",
      home: "/home/u",
      fs: pretendedFiles(USUAL),
    };
    const args = { command: "ls && touch ../x" };
    const result = await judgeCommandTextPaths({ ...call, args }, options);
    assert.equal(
      result?.reason,
      "Refused `touch ../x`: it uses ../x, but it leads to /repo/x, outside of /repo/app",
    );
    assert.equal(result?.control, "guard:paths");
    assert.equal(result?.matchedRule, "outside");
    assert.ok(Object.isFrozen(result));
    assert.equal(await judgeCommandTextPaths({ ...call, args: {} }, options), null);
    const wrong = await judgeCommandTextPaths({ ...call, args: { command: 3 } }, options);
    assert.equal(wrong?.behavior, "deny");
  });
});
