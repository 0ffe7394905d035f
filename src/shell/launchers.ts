import { launcher, type LauncherGrammar } from "./launcher_grammar.ts";
import { NPX, RUN_TOOL } from "./package_options.ts";

const SUDO =
  "-A -b -E -e -H -K! -k -n -P -S -B -N -v! -V! -l! -i:shell -s:shell -a= -C= -c= -D=directory -g= " +
  "-h= -p= -R= -r= -t= -T= -U= -u= --askpass --background --preserve-env? --edit --set-home --reset-timestamp " +
  "--remove-timestamp! --non-interactive --preserve-groups --stdin --bell --validate! --version! --list! --login:shell " +
  "--shell:shell --help! --close-from= --chdir=directory --group= --host= --prompt= --chroot= --role= --type= " +
  "--command-timeout= --other-user= --user= --auth-type= --login-class= --no-update";

/** Launchers, by the program's name. */
export const LAUNCHERS: ReadonlyMap<string, LauncherGrammar> = new Map(Object.entries({
  // As somebody else
  "sudo": launcher(SUDO, { effects: ["privilege"], assignments: true }),
  "doas": launcher("-n -s:shell -L! -a= -C! -u=", { effects: ["privilege"] }),
  "run0": launcher(
    "--background= -D=directory --chdir=directory -u= --user= -g= --group= --unit= --setenv= --nice= --pty --pipe --help! --version!",
    { effects: ["privilege"] },
  ),
  "pkexec": launcher("--disable-internal-agent --keep-cwd --help! --version! -u= --user=", {
    effects: ["privilege"],
  }),
  "su": launcher(
    "- -l -m -p -P -f -V! -h! -c=script -s= -g= -G= -w= --login --preserve-environment --pty --fast --version! --help! --command=script --session-command=script --shell= --group= --supp-group= --whitelist-environment=",
    { effects: ["privilege", "shell"], rest: "nothing", permutes: true },
  ),
  "runuser": launcher(
    "-l -m -p -P -f -c=script -s= -g= -G= -u= -w= --login --preserve-environment --pty --fast --command=script --session-command=script --shell= --group= --user=",
    { effects: ["privilege"] },
  ),
  "setpriv": launcher(
    "--no-new-privs --nnp --clear-groups --keep-groups --init-groups --reset-env --dump! --list-caps! --ambient-caps= --inh-caps= --bounding-set= --ruid= --euid= --rgid= --egid= --reuid= --regid= --groups= --securebits= --pdeathsig= --selinux-label= --apparmor-profile=",
    { effects: ["privilege"] },
  ),
  "setuidgid": launcher("", { effects: ["privilege"], operands: 1 }),
  "gosu": launcher("", { effects: ["privilege"], operands: 1 }),
  "su-exec": launcher("", { effects: ["privilege"], operands: 1 }),
  "fakeroot": launcher(
    "-u -v! -h! -l= -s= -i= -b= --unknown-is-real --lib= --faked= --help! --version! --",
  ),

  // The shell's own, and the environment
  "command": launcher("-p -v! -V!", { transparent: true, inShell: true }),
  "builtin": launcher("", { transparent: true, inShell: true }),
  "exec": launcher("-c -l -a=", { transparent: true }),
  "env": launcher(
    "- -i -0 -v -u= -C=directory -S=split -P= -a= --ignore-environment --null --unset= --chdir=directory --split-string=split --block-signal? --default-signal? --ignore-signal? --list-signal-handling --debug --argv0= --help! --version!",
    { effects: ["environment"], transparent: true, assignments: true },
  ),
  "cross-env": launcher("", { effects: ["environment"], transparent: true, assignments: true }),
  "cross-env-shell": launcher("", {
    effects: ["environment", "shell"],
    transparent: true,
    assignments: true,
    rest: "script",
  }),
  "dotenv": launcher("-e= -v= -c= -p= -o --override --quiet --help! -f= --file= -q= --quote=", {
    effects: ["environment"],
  }),
  "envdir": launcher("", { effects: ["environment"], operands: 1 }),

  // Time, priority, streams, sessions
  "nohup": launcher("--help! --version!", { effects: ["detached"], transparent: true }),
  "nice": launcher("-n= --adjustment= --help! --version!", { transparent: true }),
  "ionice": launcher("-t -c= -n= -p! -P! -u! --ignore --class= --classdata= --pid! --help!", {
    transparent: true,
  }),
  "chrt": launcher(
    "-a -b -d -f -i -o -r -R -v -m! -p! -T= -P= -D= --all-tasks --batch --deadline --fifo --idle --other --rr --reset-on-fork --max! --pid! --verbose --sched-runtime= --sched-period= --sched-deadline=",
    { transparent: true, operands: 1 },
  ),
  "taskset": launcher("-a -c -p! --all-tasks --cpu-list --pid! --help!", {
    transparent: true,
    operands: 1,
  }),
  "numactl": launcher(
    "-a -l -s! -H! -i= -m= -N= -C= -p= --all --localalloc --show! --hardware! --interleave= --membind= --cpunodebind= --physcpubind= --preferred=",
    { transparent: true },
  ),
  "time": launcher(
    "-a -p -q -v -h! -V! -f= -o= --append --portability --quiet --verbose --help! --version! --format= --output=",
    { transparent: true },
  ),
  "gtime": launcher("-a -p -q -v -f= -o=", { transparent: true }),
  "timeout": launcher(
    "-f -p -v -k= -s= --foreground --preserve-status --verbose --kill-after= --signal= --help! --version!",
    { transparent: true, operands: 1 },
  ),
  "gtimeout": launcher(
    "-f -p -v -k= -s= --foreground --preserve-status --verbose --kill-after= --signal=",
    { transparent: true, operands: 1 },
  ),
  "stdbuf": launcher("-i= -o= -e= --input= --output= --error= --help! --version!", {
    transparent: true,
  }),
  "unbuffer": launcher("-p", { transparent: true }),
  "setsid": launcher("-c -f -w --ctty --fork --wait --help! --version!", {
    effects: ["detached"],
    transparent: true,
  }),
  "daemonize": launcher("-a -v -c=directory -E= -e= -o= -p= -u= -l=", { effects: ["detached"] }),
  "caffeinate": launcher("-d -i -m -s -u -t= -w=", { transparent: true }),
  "prlimit": launcher(
    "-p= --pid= --noheadings --raw --verbose --output= -c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? -u? -v? -x? -y? --nofile? --nproc? --as? --core? --cpu? --data? --fsize? --memlock? --stack?",
    { transparent: true },
  ),
  "cpulimit": launcher("-z -i -v -l= -p= -e= --limit= --pid= --exe= --", { transparent: true }),
  "flock": launcher(
    "-e -F -n -o -s -u -x -v -c=script -E= -w= --exclusive --no-fork --nonblock --nb --close --shared --unlock --verbose --command=script --conflict-exit-code= --timeout= --wait=",
    { operands: 1, permutes: true },
  ),
  "chronic": launcher("-e -v", { transparent: true }),
  "retry": launcher("-d= -t= -e= --delay= --times= --until=", { effects: ["repeated"] }),
  "rtk": launcher("-v -u -q --verbose --ultra-compact --help! --version!", { transparent: true }),

  // Once per item, again and again, later
  "xargs": launcher(
    "-0 -o -p -r -t -x -a= -d= -E= -e? -I=item -i?item -J=item -L= -l? -n= -P= -R= -S= -s= --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --arg-file= --delimiter= --eof? --replace?item --max-lines? --max-args= --max-procs= --max-chars= --process-slot-var= --help! --version!",
    { effects: ["operands-from-stdin", "repeated"], transparent: true },
  ),
  "parallel": launcher(
    "-0 -k -q -u -v -m -X -t -r -a= -C= -d= -E= -I=item -j= -L= -l= -N= -n= -P= -S= -s= --bar --dry-run! --dryrun! --eta --group --halt= --halt-on-error= --jobs= --joblog= --keep-order --line-buffer --lb --linebuffer --load= --max-args= --max-procs= --memfree= --nice= --null --no-notice --pipe --pipepart --block= --progress --quote --retries= --resume --results= --sshlogin= --tag --timeout= --tmpdir= --trim= --ungroup --verbose --will-cite --workdir=directory --wd=directory --xargs --colsep= --delay= --delimiter= --arg-file= --env= --shuf --no-run-if-empty --help! --version!",
    { effects: ["operands-from-stdin", "repeated", "shell"], transparent: true, rest: "script" },
  ),
  "watch": launcher(
    "-b -c -C -d? -e -g -p -r -t -w -x -n= -q= -h! -v! --beep --color --no-color --differences? --errexit --chgexit --precise --no-rerun --no-title --no-wrap --exec --interval= --equexit= --help! --version!",
    { effects: ["repeated", "shell"], transparent: true, rest: "script" },
  ),
  "entr": launcher("-a -c -d -n -p -r -s:shell -x -z", { effects: ["repeated", "later"] }),
  "watchexec": launcher(
    "-w= -e= -f= -i= -r -c? -n -1 -p -q -v -o= -s= -d= --watch= --exts= --filter= --ignore= --restart --clear? --shell= --no-vcs-ignore --postpone --quiet --on-busy-update= --signal= --debounce= --workdir=directory",
    { effects: ["repeated", "later", "shell"], rest: "script" },
  ),
  "nodemon": launcher(
    "-w= --watch= -e= --ext= -i= --ignore= -x=script --exec=script -q --quiet -V --verbose -C -L --legacy-watch -d= --delay= --signal= --config= -h! -v!",
    { effects: ["repeated", "later"], rest: "nothing" },
  ),
  "hyperfine": launcher(
    "-w= -r= -m= -M= -p=script -s=script -c=script -S= -N -i -u= --warmup= --runs= --min-runs= --max-runs= --prepare=script --setup=script --cleanup=script --conclude=script --shell= --ignore-failure --style= --export-json= --export-markdown= --export-csv= --show-output --output= --input= -n= --command-name= --help! --version!",
    { effects: ["repeated", "shell"], rest: "scripts" },
  ),
  "concurrently": launcher(
    "-k -r -g -s= -n= -c= -p= -m= --kill-others --kill-others-on-fail --raw --group --success= --names= --prefix-colors= --prefix= --max-processes= --restart-tries= --restart-after= --no-color --hide= --handle-input -i --timings --passthrough-arguments -P",
    { effects: ["shell"], rest: "scripts" },
  ),
  "systemd-run": launcher(
    "--user --system --scope --no-block --wait --pty -t -P --pipe -q --quiet -G --collect -S --shell! -r --remain-after-exit --same-dir -d --slice-inherit -p= --property= -u= --unit= --description= --slice= -E= --setenv= --uid= --gid= --nice= --working-directory=directory --on-active= --on-boot= --on-calendar= --on-startup= --on-unit-active= --timer-property= -M= --machine= -H= --host=",
    { effects: ["detached"] },
  ),
  "start-stop-daemon": launcher("", { effects: ["detached"], rest: "nothing" }),
  "screen": launcher(
    "-d -m -D -R -A -a -L -U -q -x -S= -c= -e= -h= -p= -s= -t= -T= -r! -X! -ls! -list! -wipe!",
    { effects: ["detached"] },
  ),
  "script": launcher(
    "-a -e -f -q -c=script -B= -E= -I= -O= -o= -T= -m= -t? --append --command=script --return --flush --force --quiet --echo= --log-in= --log-out= --log-io= --log-timing= --logging-format= --output-limit= --timing? --help! --version!",
    { effects: ["shell"], rest: "nothing", permutes: true },
  ),

  // Elsewhere
  "ssh": launcher(
    "-4 -6 -A -a -C -f -G! -g -K -k -M -N! -n -q -s -T -t -V! -v -X -x -Y -y -B= -b= -c= -D= -E= -e= -F= -I= -i= -J= -L= -l= -m= -O! -o= -P= -p= -Q! -R= -S= -W= -w=",
    { effects: ["remote", "shell"], operands: 1, rest: "script" },
  ),
  "autossh": launcher(
    "-4 -6 -A -a -C -f -N! -n -q -T -t -v -X -Y -M= -i= -L= -l= -o= -p= -R= -D=",
    { effects: ["remote", "shell"], operands: 1, rest: "script" },
  ),
  "mosh": launcher("-4 -6 -a -n --client= --server= --predict= --ssh= -p= --port=", {
    effects: ["remote"],
    operands: 1,
  }),
  "rsh": launcher("-l= -n", { effects: ["remote", "shell"], operands: 1, rest: "script" }),
  "sshpass": launcher("-e -v -V! -h! -p= -f= -d= -P="),
  "chroot": launcher("--groups= --userspec= --skip-chdir --help! --version!", {
    effects: ["container"],
    operands: 1,
  }),
  "nsenter": launcher(
    "-a -F -r? -w? -W? -Z -e -k -m? -u? -i? -n? -p? -C? -U? -T? -t= -S? -G? --all --no-fork --root? --wd? --wdns? --follow-context --env --mount? --uts? --ipc? --net? --pid? --cgroup? --user? --time? --target= --setuid? --setgid? --preserve-credentials --keep-caps",
    { effects: ["container", "privilege"] },
  ),
  "unshare": launcher(
    "-f -r -c -m? -u? -i? -n? -p? -U? -C? -T? -R= -w=directory -S= -G= --fork --map-root-user --map-current-user --map-auto --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --mount-proc? --root= --wd=directory --setuid= --setgid= --propagation= --kill-child? --keep-caps",
    { effects: ["container"] },
  ),
  "firejail": launcher("", { effects: ["container"] }),
  "bwrap": launcher(
    "--unshare-all --share-net --unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup --die-with-parent --new-session --as-pid-1 --clearenv --chdir=directory --proc= --dev= --tmpfs= --mqueue= --dir= --hostname= --uid= --gid= --unsetenv= --args= --",
    { effects: ["container"] },
  ),
  "proot": launcher("-r= -b= -w=directory -0 -q= -S= -R=", { effects: ["container"] }),
  "toolbox": launcher("", { effects: ["container"], rest: "nothing" }),
  "flatpak-spawn": launcher(
    "--host --clear-env --watch-bus --latest-version --no-network --sandbox --env= --directory=directory --forward-fd=",
    { effects: ["container"] },
  ),
  "dbus-run-session": launcher("--config-file= --dbus-daemon= --", { transparent: true }),
  "dbus-launch": launcher("--exit-with-session --sh-syntax --autolaunch="),
  "xvfb-run": launcher(
    "-a -l -e= -f= -n= -p= -s= -w= --auto-servernum --listen-tcp --error-file= --auth-file= --server-num= --server-args= --wait=",
    { transparent: true },
  ),

  // Tracing
  "strace": launcher(
    "-f -F -c -C -d -i -k -n -q -r -t -T -v -x -y -z -Z -D -w -Y -a= -b= -e= -E= -I= -o= -O= -p= -P= -s= -S= -u= -U= -X= --follow-forks --summary-only --output= --trace= --",
  ),
  "ltrace": launcher(
    "-f -c -C -i -r -S -t -T -L -a= -A= -D= -e= -F= -l= -n= -o= -p= -s= -u= -w= -x=",
  ),
  "gdb": launcher("--args -q -batch --batch -ex= -x= -p! --pid! -nx -nh -iex= --", {}),
  "valgrind": launcher(
    "-v -q --tool= --leak-check= --show-leak-kinds= --track-origins= --error-exitcode= --log-file= --suppressions= --num-callers= --trace-children= --xml= --xml-file=",
  ),
  "rlwrap": launcher("-a? -c -D= -f= -H= -n -s= -p? --"),

  // Packages and project environments
  "npx": launcher(NPX, { effects: ["fetches"], rest: "package" }),
  "bunx": launcher(NPX, { effects: ["fetches"], rest: "package" }),
  "pnpx": launcher(NPX, { effects: ["fetches"], rest: "package" }),
  "uvx": launcher(RUN_TOOL, { effects: ["fetches"], rest: "package" }),
  "direnv": launcher("", { rest: "nothing" }),
  "nix-shell": launcher(
    "-p= --packages= --pure --run=script --command=script -A= --attr= -I= -E= --expr= --keep= --arg= --argstr= -i= --quiet -v --verbose",
    { effects: ["fetches"], rest: "nothing", permutes: true },
  ),
  "busybox": launcher("--list! --list-full! --help! --install!", { transparent: true }),
  "toybox": launcher("--long! --help! --version!", { transparent: true }),
}));
