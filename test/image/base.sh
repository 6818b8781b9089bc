#!/usr/bin/env bash
# Makes a base image for the Containerfile out of Debian's packages and the Node.js of this checkout, where no registry of
# images is reached: `test/image/base.sh <name>`. Needs mmdebstrap, buildah and npm.
set -euo pipefail
name=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs} BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}

sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do [ -s "$file" ] && sources+=("$file"); done
mmdebstrap --quiet --mode=root --variant=minbase --include=ca-certificates bookworm "$work/rootfs.tar" "${sources[@]}"

container=$(buildah from scratch)
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah add --quiet "$container" "$work/rootfs.tar" / >/dev/null
# The binary of the npm package `node`, and the npm that is installed here, as the official image has them.
buildah copy --quiet "$container" "$root/node_modules/node/bin/node" /usr/local/bin/node >/dev/null
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
buildah copy --quiet "$container" "$npm" /usr/local/lib/node_modules/npm >/dev/null
buildah run "$container" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
# Certificates of an authority that this machine trusts, behind which a registry of packages may stand.
buildah copy --quiet "$container" /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt >/dev/null
buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
buildah commit --quiet --rm "$container" "$name" >/dev/null
