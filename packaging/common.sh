# shellcheck shell=bash disable=SC2034
# Sourced by the scripts that make packages: the version, the date and the order of what goes into them.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
umask 022
export LC_ALL=C TZ=UTC
version=$(packaging/version) || exit 1
output=.build/packages
mkdir -p "$output"

# The time of the commit stands for the time of the build. A source archive has no commit; there the newest
# heading of the changelog does.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null) \
    || SOURCE_DATE_EPOCH=$(packaging/release-date)
fi
export SOURCE_DATE_EPOCH

# stage FOLDER: runs `make install PREFIX=/usr` with FOLDER in place of the root.
stage() {
  rm -rf "$1"
  mkdir -p "$1"
  "${MAKE:-make}" --no-print-directory install DESTDIR="$PWD/$1" PREFIX=/usr >/dev/null
}

# set_dates FOLDER: gives every file the time of the commit.
set_dates() {
  local stamp
  stamp=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M.%S 2>/dev/null \
    || date -u -r "$SOURCE_DATE_EPOCH" +%Y%m%d%H%M.%S)
  find "$1" -exec touch -h -t "$stamp" {} +
}

# archive FOLDER NAME FILE: packs NAME in FOLDER into FILE, with the same bytes at any time and for any user.
archive() {
  local owner=(--owner=0 --group=0 --numeric-owner --format=ustar)
  # The tar of macOS is bsdtar, which has other names for these options.
  if ! tar --version | grep -q GNU; then owner=(--uid 0 --gid 0 --format ustar); fi
  set_dates "$1/$2"
  (cd "$1" && find "$2" | sort | tar "${owner[@]}" --no-recursion -cf - -T -) | gzip -9n >"$3"
}

# checksum FILE...: writes FILE.sha256 beside each, as `sha256sum -c` and `shasum -c` read it.
checksum() {
  local file
  for file in "$@"; do
    (cd "$(dirname "$file")" && if command -v sha256sum >/dev/null 2>&1; then
      sha256sum "$(basename "$file")"
    else
      shasum -a 256 "$(basename "$file")"
    fi) >"$file.sha256"
    echo "$file"
  done
}
