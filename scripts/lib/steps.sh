# Steps: what a script says while it works, and what it shows when a step fails.
#
# A script sets `script` (its name) and `root` (the checkout) before it sources this file.

# One line about what happens now, on stderr: stdout belongs to the program that runs in the end.
say() {
    printf '%s: %s\n' "$script" "$*" >&2
}

fail() {
    say "$*"
    exit 1
}

# run_step LOG COMMAND… runs a command quietly, and shows what it wrote when it fails.
run_step() {
    local log=$1
    shift
    "$@" </dev/null >"$log" 2>&1 || fail_step "$log" "$@"
    # Warnings about our own files, which lie beside `.build` and not in it.
    grep -E "^$root/[^.].*: warning: " "$log" | sort -u >&2 || true
}

# run_build LOG UNITS COMMAND… is run_step for `swift build`, with one line of progress: a percentage of the number of
# units that a first build has. SwiftPM counts units as it finds them, so its own total grows while it works.
run_build() {
    local log=$1 units=$2
    shift 2
    "$@" </dev/null 2>&1 | tee "$log" | show_progress "$units" || fail_step "$log" "$@"
    grep -E "^$root/[^.].*: warning: " "$log" | sort -u >&2 || true
}

# At a terminal the line is drawn over; elsewhere there is a line for every tenth.
show_progress() {
    local units=$1 line percent shown=-1 tenth=0
    while read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        percent=$((100 * BASH_REMATCH[1] / (BASH_REMATCH[2] > units ? BASH_REMATCH[2] : units)))
        ((percent > shown)) || continue
        shown=$percent
        if [[ -t 2 ]]; then
            printf '\r%s: building, %d %%' "$script" "$percent" >&2
        elif ((percent / 10 > tenth)); then
            tenth=$((percent / 10))
            say "building, $percent %"
        fi
    done
    # The line is left empty for what comes next.
    [[ ! -t 2 || $shown == -1 ]] || printf '\r\033[K' >&2
}

fail_step() {
    local log=$1
    shift
    # Without the compiler's progress; of many errors, the first are the ones that matter.
    grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" | head -n 200 >&2 || true
    fail "failed: $* (log: $log)"
}

# Waits until no other script of this checkout installs or builds. Let go with `unlock`, or by ending.
lock() {
    mkdir -p "$root/.build/scripts"
    exec {lock_descriptor}>"$root/.build/scripts/lock"
    if ! flock --nonblock "$lock_descriptor"; then
        say "waiting for another script that builds here"
        flock "$lock_descriptor"
    fi
}

unlock() {
    exec {lock_descriptor}>&-
}
