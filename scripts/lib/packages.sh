# Packages: which ones of the system are needed, and how they get there.

# What the Swift toolchain runs on, links with and fetches dependencies with.
build_packages=(
    binutils
    ca-certificates
    git
    libcurl4
    libncurses6
    libsqlite3-0
    libstdc++-12-dev
    libxml2
    tzdata
    zlib1g
)

# What the tests need besides.
# shellcheck disable=SC2034  # scripts/test reads it
test_packages=()

# install_packages NAME… installs those that are missing. Where there is no dpkg, the packages are the user's matter.
install_packages() {
    command -v dpkg-query >/dev/null || return 0
    local name installed missing=()
    installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
    for name in "$@"; do
        [[ $installed == *" installed:$name "* ]] || missing+=("$name")
    done
    ((${#missing[@]})) || return 0

    say "installing ${missing[*]}"
    local become_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "needs root or sudo for: apt-get install ${missing[*]}"
        become_root=(sudo)
    fi
    local apt_get=("${become_root[@]}" env DEBIAN_FRONTEND=noninteractive
        apt-get -q -y --no-install-recommends -o DPkg::Lock::Timeout=300)
    local log=$root/.build/scripts/packages.log
    # A fresh machine knows no package yet, and an old list names versions that are gone: only then is it fetched.
    if ! "${apt_get[@]}" install "${missing[@]}" </dev/null >"$log" 2>&1; then
        say "updating the list of packages"
        run_step "$log" "${apt_get[@]}" update
        run_step "$log" "${apt_get[@]}" install "${missing[@]}"
    fi
}
