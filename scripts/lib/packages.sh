# Packages: which ones of the system are needed, and how they get there.

# Packages that the Swift toolchain runs on, links with and fetches dependencies with.
# shellcheck disable=SC2034  # scripts read it
build_packages=(
    binutils
    ca-certificates
    git
    libavcodec-dev
    libavformat-dev
    libcurl4-openssl-dev
    libncurses6
    libpoppler-glib-dev
    libseccomp-dev
    libsqlite3-dev
    libstdc++-12-dev
    libswscale-dev
    libvips-dev
    libssl-dev
    libxml2-dev
    libxxhash-dev
    pkg-config
    tzdata
    zlib1g-dev
)

# Programs that ferry itself starts: `ssh`, for SFTP.
# shellcheck disable=SC2034  # scripts/ferry and scripts/test read it
command_packages=(openssh-client)

# Packages that the demo needs besides: a server to copy to.
# shellcheck disable=SC2034  # scripts/ferry reads it
demo_packages=(apache2)

# Packages that the tests need besides: the servers that they start on loopback, a keyring, and programs to compare with.
# shellcheck disable=SC2034  # scripts/test reads it
test_packages=(
    apache2
    curl
    dbus
    ffmpeg
    gnome-keyring
    jq
    libarchive-zip-perl
    libdbus-1-3
    libimage-exiftool-perl
    libnginx-mod-http-dav-ext
    libsodium23
    libvips-tools
    libwrap0
    lighttpd
    lighttpd-mod-openssl
    lighttpd-mod-webdav
    nginx-light
    openssh-server
    openssl
    poppler-utils
    proftpd-core
    proftpd-mod-crypto
    python3
    python3-venv
    qpdf
    rclone
    tinyproxy-bin
    zip
)

# The servers among them that Debian would also run as services of the system; the service's name after the package's where
# that is another.
services=(apache2 lighttpd nginx openssh-server:ssh proftpd)

# The servers that Debian does not install beside proftpd: they are unpacked under .build, and nothing else.
# shellcheck disable=SC2034  # scripts/test reads it
test_unpacked_packages=(pure-ftpd pure-ftpd-common vsftpd)

# Packages in a Python environment of the tests, in these versions: what the tests know about it was seen there.
# shellcheck disable=SC2034  # scripts/test reads it
test_python_packages=(
    wsgidav==4.4.0 cheroot==11.1.2
    pyftpdlib==2.2.0 pyOpenSSL==26.4.0 cryptography==50.0.2
)

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
    (
        without_services
        # A fresh machine knows no package yet, and an old list names versions that are gone: only then is it fetched.
        if ! "${apt_get[@]}" install "${missing[@]}" </dev/null >"$log" 2>&1; then
            say "updating the list of packages"
            run_step "$log" "${apt_get[@]}" update
            run_step "$log" "${apt_get[@]}" install "${missing[@]}"
        fi
    )
    # Nor with the next start of the machine.
    if [[ -d /run/systemd/system ]]; then
        for name in "${services[@]}"; do
            [[ " ${missing[*]} " != *" ${name%:*}"* ]] ||
                "${become_root[@]}" systemctl --quiet disable "${name#*:}" || true
        done
    fi
}

# Until this shell ends, a package that is installed starts no service: the tests start servers of their own. A policy
# that the machine has already is left alone.
without_services() {
    local policy=/usr/sbin/policy-rc.d
    [[ ! -e $policy ]] || return 0
    printf '#!/bin/sh\nexit 101\n' | "${become_root[@]}" tee "$policy" >/dev/null
    # shellcheck disable=SC2064  # it is known now
    trap "${become_root[*]} rm -f $policy" EXIT
    "${become_root[@]}" chmod 755 "$policy"
}

# install_python_packages NAME PACKAGE==VERSION… makes an environment under .build/scripts with these packages.
install_python_packages() {
    local folder=$root/.build/scripts/$1
    shift
    [[ ! -f $folder/packages || "$*" != "$(<"$folder/packages")" ]] || return 0

    say "installing $* under .build"
    run_step "$folder.log" python3 -m venv --clear "$folder"
    run_step "$folder.log" "$folder/bin/python3" -m pip install --disable-pip-version-check "$@"
    printf '%s\n' "$*" >"$folder/packages"
}

# unpack_packages NAME… unpacks packages under .build/scripts/unpacked, without their scripts and services.
unpack_packages() {
    command -v dpkg-deb >/dev/null || return 0
    local folder=$root/.build/scripts/unpacked
    [[ ! -f $folder/packages || "$*" != "$(<"$folder/packages")" ]] || return 0

    say "unpacking $* under .build"
    rm -rf "$folder"
    mkdir -p "$folder/archives"
    # apt's own user may not write here; and an old list of packages names versions that are gone.
    if ! (cd "$folder/archives" && apt-get -q download "$@" >"$folder.log" 2>&1); then
        run_step "$folder.log" apt-get -q update
        (cd "$folder/archives" && run_step "$folder.log" apt-get -q download "$@")
    fi
    local archive
    for archive in "$folder"/archives/*.deb; do
        dpkg-deb --extract "$archive" "$folder"
    done
    rm -rf "$folder/archives"
    printf '%s\n' "$*" >"$folder/packages"
}
