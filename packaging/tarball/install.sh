#!/bin/sh
# Installs apitest @VERSION@ under ~/.local, without root: downloads it, verifies its signature and checksum, and copies
# it. Nothing is installed if a verification fails or cannot be made.
#
# usage: sh install.sh
#
# environment:
#   PREFIX              directory to install in (default: ~/.local)
#   APITEST_VERSION     version to install (default: @VERSION@)
#   APITEST_RELEASE     address of the directory with the files of the release (default: @ADDRESS@)
#   APITEST_PUBLIC_KEY  minisign public key of the release (default: the one in this script)
#
# It requires curl or wget, sha256sum, and minisign or OpenSSL 3.
set -eu

version=${APITEST_VERSION:-'@VERSION@'}
address=${APITEST_RELEASE:-'@ADDRESS@'}
public_key=${APITEST_PUBLIC_KEY:-'@PUBLIC_KEY@'}

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

check_system() {
    [ "$(uname -s)" = Linux ] || fail "apitest runs on Linux, and this is $(uname -s)"
    has curl || has wget || fail "curl or wget is required"
    has sha256sum || fail "sha256sum is required"
    has minisign || has openssl || fail "minisign or openssl is required to verify the signature"
    [ -n "$public_key" ] || fail "this script contains no public key: set APITEST_PUBLIC_KEY"
}

# download NAME: downloads a file of the release to the current directory.
download() {
    if has curl; then
        curl --fail --silent --show-error --location --retry 3 --output "$1" "$address/$1"
    else
        wget --quiet --output-document="$1" "$address/$1"
    fi || fail "$address/$1 cannot be downloaded"
}

# verify FILE: verifies FILE.minisig, and that it was made for this version.
verify() {
    comment=$(sed -n 's/^trusted comment: //p' "$1.minisig")
    if has minisign; then
        minisign -V -q -P "$public_key" -m "$1" || fail "the signature of $1 is wrong"
    else
        verify_with_openssl "$1"
    fi
    [ "$comment" = "apitest $version" ] || fail "the signature is for \"$comment\", and not for apitest $version"
}

# verify_with_openssl FILE: does what minisign does. Both signatures are Ed25519: that of the BLAKE2b digest of the file,
# and that of the first signature together with the trusted comment. Each key and signature starts with two bytes that
# name the algorithm, and eight that name the key.
verify_with_openssl() {
    printf '%s' "$public_key" | openssl base64 -d -A >key
    sed -n 2p "$1.minisig" | openssl base64 -d -A >signature
    sed -n 4p "$1.minisig" | openssl base64 -d -A >comment.signature
    [ "$(wc -c <key)" -eq 42 ] && [ "$(wc -c <signature)" -eq 74 ] && [ "$(wc -c <comment.signature)" -eq 64 ] &&
        [ "$(head -c 2 signature)" = ED ] && [ "$(head -c 2 key)" = Ed ] || fail "the signature of $1 is not of minisign"
    [ "$(head -c 10 key | tail -c 8 | od -A n -t x1)" = "$(head -c 10 signature | tail -c 8 | od -A n -t x1)" ] ||
        fail "the signature of $1 was made with another key"
    # The header of a public key in the DER encoding (RFC 8410).
    { printf '\060\052\060\005\006\003\053\145\160\003\041\000' && tail -c 32 key; } >key.der
    openssl dgst -blake2b512 -binary "$1" >digest || fail "this version of openssl cannot verify the signature"
    tail -c 64 signature >file.signature
    { cat file.signature && printf '%s' "$comment"; } >signed.comment
    verify_ed25519 digest file.signature && verify_ed25519 signed.comment comment.signature ||
        fail "the signature of $1 is wrong"
}

# verify_ed25519 FILE SIGNATURE
verify_ed25519() {
    openssl pkeyutl -verify -pubin -inkey key.der -keyform DER -rawin -in "$1" -sigfile "$2" >/dev/null 2>&1
}

# A download of this script that ends early defines functions and does nothing else.
main() {
    [ -n "${PREFIX:-}" ] || PREFIX=${HOME:?}/.local
    check_system
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$PREFIX/bin"
    PREFIX=$(cd "$PREFIX" && pwd)
    cd "$work"

    name=apitest-$version-linux-$(uname -m)
    for file in SHA256SUMS SHA256SUMS.minisig "$name.tar.gz"; do
        download "$file"
    done
    verify SHA256SUMS
    grep "^[0-9a-f]\{64\}  $name\.tar\.gz\$" SHA256SUMS >checksum || fail "SHA256SUMS does not contain $name.tar.gz"
    sha256sum -c checksum >/dev/null 2>&1 || fail "the checksum of $name.tar.gz is wrong"

    tar -xzf "$name.tar.gz"
    # On a system with an older C library, or another one, the loader says so.
    [ "$("$name/bin/apitest" --version)" = "$version" ] || fail "the program cannot be executed"
    cp -R "$name/share" "$PREFIX"
    # A running program cannot be overwritten, but its name can be given to another file.
    cp "$name/bin/apitest" "$PREFIX/bin/.apitest.new"
    mv "$PREFIX/bin/.apitest.new" "$PREFIX/bin/apitest"
    echo "apitest $version is installed: $PREFIX/bin/apitest"
    case :$PATH: in
    *:"$PREFIX/bin":*) ;;
    *) echo "Add it to your PATH: export PATH=\"$PREFIX/bin:\$PATH\"" ;;
    esac
}

main
