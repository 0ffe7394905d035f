/**
 * Names of the programs whose words must be read to know what they start. A copy of the keys of the
 * tables, so that the fast path need not load those; a test compares.
 *
 * @module
 */

import type { WordList } from "./word_list.ts";

/** Programs and builtins that may start something, whatever their words are. */
export const OPENING_PROGRAMS: WordList =
  " sudo doas run0 pkexec su runuser setpriv setuidgid gosu su-exec fakeroot command builtin exec env " +
  "cross-env cross-env-shell dotenv envdir nohup nice ionice chrt taskset numactl time gtime timeout " +
  "gtimeout stdbuf unbuffer setsid daemonize caffeinate prlimit cpulimit flock chronic retry rtk xargs " +
  "parallel watch entr watchexec nodemon hyperfine concurrently systemd-run start-stop-daemon screen " +
  "script ssh autossh mosh rsh sshpass chroot nsenter unshare firejail bwrap proot toolbox " +
  "flatpak-spawn dbus-run-session dbus-launch xvfb-run strace ltrace gdb valgrind rlwrap npx bunx pnpx " +
  "uvx direnv nix-shell busybox toybox sh bash dash zsh ksh ksh93 mksh ash rbash bash5 find gfind fd " +
  "fdfind at batch eval source . trap hash enable compgen complete bind mapfile readarray alias awk " +
  "gawk mawk nawk sed gsed powershell pwsh cmd ";

/** Interpreters: they start nothing when their first operand is a file. */
export const FILE_INTERPRETERS: WordList =
  " python pypy ipython node nodejs bun tsx ts-node deno qjs perl ruby jruby php lua luajit Rscript R " +
  "osascript fish csh tcsh nu elvish xonsh julia elixir groovy scala clojure clj bb ghc raku erl emacs " +
  "tclsh expect ";

/** Programs with subcommands that start something. */
export const FAMILIES: WordList =
  " docker podman nerdctl docker-compose lxc kubectl oc vagrant fly heroku npm pnpm yarn bun uv pipx " +
  "poetry pipenv pdm hatch rye conda mamba bundle rbenv pyenv nodenv asdf mise rtx volta fnm nvm " +
  "rustup direnv nix devbox doppler op infisical aws-vault tmux perf ";

/** The first words of those subcommands. */
export const FAMILY_WORDS: WordList =
  " exec run container compose unshare rsh ssh x dlx tool develop shell new-session new new-window " +
  "neww split-window splitw respawn-pane respawnp respawn-window respawnw display-popup popup " +
  "run-shell if-shell if stat record ";
