# Servers: the ones that the benchmarks talk to, on free ports of 127.0.0.1, out of a folder of their own.
#
# A script ends them with `stop_servers`.

servers=()

# start_servers FOLDER serves FOLDER/www with Apache and nginx, to the user `ferry` with the password `s3cret`, and sets
# `apache_url` and `nginx_url`.
start_servers() {
    local folder=$1 owner=
    mkdir "$folder/www" "$folder/var"
    chmod 755 "$folder"
    chmod 777 "$folder/www" "$folder/var"
    ((EUID != 0)) || owner=www-data
    printf 'ferry:{SHA}%s\n' "$(printf s3cret | openssl sha1 -binary | base64)" >"$folder/users"

    # shellcheck disable=SC2034  # scripts/bench reads them
    { start_server apache apache_conf apache_url && start_server nginx nginx_conf nginx_url; }
}

# start_ssh_server FOLDER lets the user who runs this log in with the key FOLDER/ssh/id, as FOLDER/ssh/ssh_config says, and
# sets `ssh_port`.
start_ssh_server() {
    local folder=$1/ssh server name
    mkdir -m 755 "$folder"
    for name in host id; do ssh-keygen -q -t ed25519 -N '' -f "$folder/$name"; done
    cp "$folder/id.pub" "$folder/authorized_keys"
    printf 'ferry-bench %s\n' "$(cut -d' ' -f1,2 "$folder/host.pub")" >"$folder/known_hosts"
    printf '%s\n' "HostKeyAlias ferry-bench" "UserKnownHostsFile $folder/known_hosts" "IdentityFile $folder/id" \
        "IdentitiesOnly yes" "IdentityAgent none" >"$folder/ssh_config"
    if ((EUID == 0)); then mkdir -p /run/sshd; fi
    for _ in 1 2 3 4 5; do
        ssh_port=$(free_port)
        # A shell below another one reads no start files of this machine's, which may take seconds.
        printf '%s\n' "Port $ssh_port" "ListenAddress 127.0.0.1" "HostKey $folder/host" "PidFile none" "StrictModes no" \
            "UsePAM no" "UseDNS no" "AuthorizedKeysFile $folder/authorized_keys" "MaxStartups 100:30:200" \
            "MaxSessions 64" "Subsystem sftp internal-sftp" "SetEnv SHLVL=2" >"$folder/sshd_config"
        set -m
        /usr/sbin/sshd -D -e -f "$folder/sshd_config" </dev/null >"$folder/sshd.out" 2>&1 &
        server=$!
        set +m
        while kill -0 "$server" 2>/dev/null; do
            if (exec 3<>"/dev/tcp/127.0.0.1/$ssh_port") 2>/dev/null; then
                servers+=("$server")
                return
            fi
            sleep 0.05
        done
    done
    cat "$folder/sshd.out" >&2
    fail "sshd doesn't start"
}

# start_ftp_servers FOLDER serves FOLDER by vsftpd, in which FOLDER/www can be written to, to the user `anonymous` with the
# password `s3cret`; sets `ftp_port`, and `secure_ftp_port` for one that demands TLS and FOLDER/ftp/certificate.pem.
start_ftp_servers() {
    local folder=$1/ftp top=$1
    mkdir -m 755 "$folder" "$folder/empty"
    printf 's3cret\n' >"$folder/passwords"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=IP:127.0.0.1 -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>/dev/null
    # shellcheck disable=SC2034  # scripts/bench reads them
    { start_vsftpd plain ftp_port && start_vsftpd secure secure_ftp_port; }
}

# start_vsftpd plain|secure VARIABLE: somebody else may take the port first, so it tries a few times.
start_vsftpd() {
    local kind=$1 port server
    local program=$root/.build/scripts/unpacked/usr/sbin/vsftpd
    for _ in 1 2 3 4 5; do
        port=$(free_port)
        {
            printf '%s\n' listen=YES background=NO listen_address=127.0.0.1 "listen_port=$port" \
                pasv_address=127.0.0.1 anonymous_enable=YES local_enable=NO write_enable=YES \
                anon_upload_enable=YES anon_mkdir_write_enable=YES anon_other_write_enable=YES \
                anon_world_readable_only=NO anon_umask=022 "anon_root=$top" "ftp_username=$(ftp_user)" \
                secure_email_list_enable=YES "email_password_file=$folder/passwords" \
                "secure_chroot_dir=$folder/empty" file_open_mode=0666 utf8_filesystem=YES seccomp_sandbox=NO \
                isolate=NO isolate_network=NO xferlog_enable=NO delay_failed_login=0 delay_successful_login=0
            [[ $kind == plain ]] || printf '%s\n' ssl_enable=YES allow_anon_ssl=YES force_anon_logins_ssl=YES \
                force_anon_data_ssl=YES "rsa_cert_file=$folder/certificate.pem" \
                "rsa_private_key_file=$folder/key.pem" ssl_tlsv1=NO ssl_ciphers=HIGH require_ssl_reuse=YES
        } >"$folder/$kind.conf"
        set -m
        "$program" "$folder/$kind.conf" </dev/null >"$folder/$kind.out" 2>&1 &
        server=$!
        set +m
        while kill -0 "$server" 2>/dev/null; do
            if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
                servers+=("$server")
                printf -v "$2" %s "$port"
                return
            fi
            sleep 0.05
        done
    done
    cat "$folder/$kind.out" >&2
    fail "vsftpd doesn't start"
}

# The user that guests are: as root one without rights, who has a home; else who runs this.
ftp_user() { if ((EUID == 0)); then echo www-data; else id -un; fi; }

# start_slow_line FOLDER URL VARIABLE [SECONDS FILE] sets VARIABLE to the address of a server by a line of 20 ms to and fro; FILE
# then says how many bytes have passed.
start_slow_line() {
    local url=$2 line port said
    port=${url%/}
    port=${port##*:}
    said=$1/line-$port${5:+-counted}
    set -m
    python3 "$root/scripts/lib/slow_line.py" "$port" "${4:-0.02}" ${5:+"$5"} </dev/null >"$said" 2>&1 &
    line=$!
    set +m
    servers+=("$line")
    while [[ ! -s $said ]]; do
        kill -0 "$line" 2>/dev/null || fail "the slow line doesn't start: $(<"$said")"
        sleep 0.05
    done
    printf -v "$3" %s "http://127.0.0.1:$(<"$said")/"
}

stop_servers() {
    local server
    for server in "${servers[@]}"; do
        kill -- "-$server" 2>/dev/null || true
    done
    wait "${servers[@]}" 2>/dev/null || true
    servers=()
}

# start_server NAME CONFIGURATION VARIABLE: somebody else may take the port first, so it tries a few times.
start_server() {
    local name=$1 configuration=$2 port server
    for _ in 1 2 3 4 5; do
        port=$(free_port)
        "$configuration" "$folder" "$port" "$owner" >"$folder/$name.conf"
        # In a process group of its own: Apache signals its whole group.
        set -m
        case $name in
        apache) apache2 -f "$folder/apache.conf" -DFOREGROUND ;;
        nginx) nginx -e "$folder/var/nginx.log" -c "$folder/nginx.conf" ;;
        esac </dev/null >"$folder/$name.out" 2>&1 &
        server=$!
        set +m
        while kill -0 "$server" 2>/dev/null; do
            if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
                servers+=("$server")
                printf -v "$3" %s "http://127.0.0.1:$port/"
                return
            fi
            sleep 0.05
        done
    done
    cat "$folder/$name.out" >&2
    fail "$name doesn't start"
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# apache_conf FOLDER PORT USER
apache_conf() {
    printf 'LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n' \
        {mpm_event,authn_core,authn_file,authz_core,authz_user,auth_basic,dav,dav_fs}{,}
    cat <<END
ServerRoot $1
ServerName localhost
PidFile $1/var/apache.pid
ErrorLog $1/var/apache.log
Mutex sem default
DavLockDB $1/var/DavLock
Listen 127.0.0.1:$2
LimitRequestBody 0
${3:+User $3
Group $3}
DocumentRoot $1/www
<Directory $1/www>
    Dav On
    AuthName ferry
    AuthType Basic
    AuthUserFile $1/users
    Require valid-user
</Directory>
END
}

# nginx_conf FOLDER PORT USER. Its temporary files are on the file system of those that it serves: a PUT ends in a rename.
nginx_conf() {
    cat <<END
daemon off;
worker_processes 1;
pid $1/var/nginx.pid;
error_log $1/var/nginx.log warn;
${3:+user $3;}
load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
events {}
http {
    access_log off;
    client_max_body_size 0;
    client_body_temp_path $1/var/body;
    proxy_temp_path $1/var/proxy;
    fastcgi_temp_path $1/var/fastcgi;
    uwsgi_temp_path $1/var/uwsgi;
    scgi_temp_path $1/var/scgi;
    server {
        listen 127.0.0.1:$2;
        root $1/www;
        auth_basic ferry;
        auth_basic_user_file $1/users;
        dav_methods PUT DELETE MKCOL COPY MOVE;
        dav_ext_methods PROPFIND OPTIONS;
        dav_access user:rw group:r all:r;
    }
}
END
}
