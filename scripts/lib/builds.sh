# Builds: when one is needed, and with which flags.

# Linked in, Swift's runtime and Foundation start in 2.6 ms instead of 6.5.
# shellcheck disable=SC2034  # scripts/ferry and scripts/bench read it
release_flags=(--configuration release --static-swift-stdlib)

# build_state WORD… -- PLACE… prints what a build depends on, as a number: the toolchain, the words (flags), and every
# file in these places of the checkout, so that a file that came, went or changed makes another number.
build_state() {
    {
        toolchain_state
        while [[ $1 != -- ]]; do
            printf '%s\n' "$1"
            shift
        done
        shift
        cd "$root"
        # A file that goes away meanwhile is no failure: the next number differs.
        find "$@" \( -type f -o -type l \) -printf '%p %s %T@\n' 2>/dev/null | LC_ALL=C sort || true
    } | cksum
}

# The versions of the dependencies. The first build writes that file, so a stamp holds what it was afterwards.
dependencies_state() {
    stat --format='%s %Y' "$root/Package.resolved" 2>/dev/null || true
}

# Whether nothing changed since `stamp` was written. A script sets that, and defines `sources_state`.
is_current() {
    [[ -f $stamp && "$(sources_state) $(dependencies_state)" == "$(<"$stamp")" ]]
}

# write_stamp STATE records what was built, as it was before the build: a change meanwhile is one more to build.
write_stamp() {
    mkdir -p "${stamp%/*}"
    printf '%s\n' "$1 $(dependencies_state)" >"$stamp"
}
