# Builds: when one is needed, and with which flags.
# shellcheck disable=SC2034  # the scripts read what is set here

# The tests' build, which the demo in CI runs on, too. Neither an index nor debug information is made, which are more
# than a third of its time; `scripts/test -debug-info-format dwarf` is for a debugger.
test_flags=(--disable-index-store -debug-info-format none)
test_programs=$root/.build/debug

# The units that a first build has, nearly: what a percentage of the progress is of.
test_units=1700
release_units=560

# Linked in, Swift's runtime and Foundation take 4 ms less to start. What is only there to be found by other
# libraries costs memory, and so do 150,000 relocations, unless they are packed. Each function is a section, so that
# those which nobody calls are left out.
release_flags=(
    --configuration release --static-swift-stdlib --disable-index-store -debug-info-format none
    -Xswiftc -use-ld=lld
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections
    -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs
)

# optimize_tests makes the tests' build an optimized one, in a folder of its own. It takes longer to make; tests that are
# bound by the processor take half the time. It is still a debug build, so that tests see what only they may see, and C
# stays as it is. Whole modules at once take four fifths of the time of file after file.
optimize_tests() {
    test_flags+=(--scratch-path "$root/.build/optimized")
    test_flags+=(-Xswiftc -O -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)
    test_programs=$root/.build/optimized/debug
    test_units=700
}

# install_program NAME puts a program of the release build into `.build/scripts`, without its symbols, which are put
# beside it: they are more than half of the file, and only a debugger reads them.
install_program() {
    local built=$root/.build/release/$1 installed=$root/.build/scripts/$1
    objcopy --only-keep-debug "$built" "$installed.debug"
    objcopy --strip-all --add-gnu-debuglink="$installed.debug" "$built" "$installed.new"
    mv -f "$installed.new" "$installed"
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

# Returns 0 if nothing changed since `stamp` was written. A script sets that, and defines `sources_state`.
# shellcheck disable=SC2154  # a script sets it
is_current() {
    [[ -f $stamp && "$(sources_state) $(dependencies_state)" == "$(<"$stamp")" ]]
}

# write_stamp STATE records what was built, as it was before the build: a change meanwhile is one more to build.
write_stamp() {
    mkdir -p "${stamp%/*}"
    printf '%s\n' "$1 $(dependencies_state)" >"$stamp"
}
