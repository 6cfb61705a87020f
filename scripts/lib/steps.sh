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
    if ! "$@" </dev/null >"$log" 2>&1; then
        # Without the compiler's progress; of many errors, the first are the ones that matter.
        grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" | head -n 200 >&2 || true
        fail "failed: $* (log: $log)"
    fi
    # Warnings about our own files, which lie beside `.build` and not in it.
    grep -E "^$root/[^.].*: warning: " "$log" | sort -u >&2 || true
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
