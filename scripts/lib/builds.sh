# Builds: when one is needed, and with which flags.

# Linked in, Swift's runtime and Foundation start in 2.6 ms instead of 6.5.
# shellcheck disable=SC2034  # scripts/ferry and scripts/bench read it
release_flags=(--configuration release --static-swift-stdlib)

find_swift() {
    swift=$(command -v swift) || fail "swift isn't in PATH: install a Swift 6.3 toolchain (https://swift.org/install) first"
}

# The toolchain, without starting it, which would take longer than all the rest: the file that `swift` is. Under
# swiftly that is always swiftly, whose settings tell the version.
toolchain_state() {
    stat --format='%n %Y %s' "$(readlink -f "$swift")"
    cat "${SWIFTLY_HOME_DIR:-${HOME:-}/.local/share/swiftly}/config.json" "$root/.swift-version" 2>/dev/null || true
}

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
