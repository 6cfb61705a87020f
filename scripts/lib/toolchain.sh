# The toolchain: where it is, and which.

find_swift() {
    swift=$(command -v swift) || fail "swift isn't in PATH: install a Swift 6.3 toolchain (https://swift.org/install) first"
}

# The toolchain, without starting it, which would take longer than all the rest: the file that `swift` is. Under
# swiftly that is always swiftly, whose settings tell the version.
toolchain_state() {
    stat --format='%n %Y %s' "$(readlink -f "$swift")"
    cat "${SWIFTLY_HOME_DIR:-${HOME:-}/.local/share/swiftly}/config.json" "$root/.swift-version" 2>/dev/null || true
}
