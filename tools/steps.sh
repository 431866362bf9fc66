# shellcheck shell=bash
# Sourced by `check` and `nightly`: runs steps, stops at the first one that fails, and sums up how long each took.

summary=() # a line for each step
counted=   # what the step that runs has to say of how many

# step NAME COMMAND…
step() {
    local name=$1 start=$SECONDS took
    shift
    printf '==> %s\n' "$name"
    # A trap rather than `if "$@"`, which would turn `set -e` off inside.
    trap 'printf "\n%s: %s failed after %s\n" "'"${0##*/}"'" "'"$name"'" "$(duration $((SECONDS - '"$start"')))" >&2' EXIT
    "$@"
    trap - EXIT
    took=$(duration $((SECONDS - start)))
    printf '    %s: ok, %s\n' "$name" "$took"
    summary+=("$name: $took${counted:+, $counted}")
    counted=
}

duration() { if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi; }

sum_up() {
    printf '\n%s: all passed in %s\n' "${0##*/}" "$(duration $SECONDS)"
    printf '  %s\n' "${summary[@]}"
}

# nextest LOG ARGUMENT… runs tests, says of those that fail why, and keeps the number of all.
nextest() {
    local log=$1
    shift
    cargo nextest run --no-fail-fast --status-level fail "$@" 2>&1 | tee "$log"
    counted=$(sed -n 's/^ *Summary \[[^]]*\] *//p' "$log" | tail -1)
}
