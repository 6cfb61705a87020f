# Builds: when one is needed, and with which flags.

# Linked in, Swift's runtime and Foundation take 4 ms less to start. What is only there to be found by other
# libraries costs memory, and so do 150,000 relocations, unless they are packed. Each function is a section, so that
# those which nobody calls are left out, and the others can be put in order (see `order_functions`).
release_flags=(
    --configuration release --static-swift-stdlib
    -Xswiftc -use-ld=lld
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections
    -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs
)

# The functions that everyday work runs, as `scripts/order` has seen them.
function_order=$root/scripts/lib/functions.gz

# order_functions adds to `release_flags` what puts the functions of everyday work side by side. The system brings 64 KiB
# of a program into memory for each function that is run somewhere: strewn over all of it, 3 MiB of functions take 20.
order_functions() {
    local order
    order=$root/.build/scripts/functions.$(cksum <"$function_order" | cut -d ' ' -f 1)
    if [[ ! -f $order ]]; then
        mkdir -p "${order%/*}"
        # Another script may be doing the same.
        gzip -dc "$function_order" >"$order.$$"
        mv -f "$order.$$" "$order"
    fi
    # Another build's functions are no reason for warnings.
    release_flags+=(-Xlinker "--symbol-ordering-file=$order" -Xlinker --no-warn-symbol-ordering)
    release_flags+=(-Xlinker -T -Xlinker "$root/scripts/lib/private.ld")
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

# Whether nothing changed since `stamp` was written. A script sets that, and defines `sources_state`.
is_current() {
    [[ -f $stamp && "$(sources_state) $(dependencies_state)" == "$(<"$stamp")" ]]
}

# write_stamp STATE records what was built, as it was before the build: a change meanwhile is one more to build.
write_stamp() {
    mkdir -p "${stamp%/*}"
    printf '%s\n' "$1 $(dependencies_state)" >"$stamp"
}
