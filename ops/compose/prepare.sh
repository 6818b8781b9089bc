#!/bin/sh
# Makes the secrets of compose.yaml, once: passwords of the database and of Grafana, and the key of all secrets.
# Keep a copy of secrets-key somewhere else: without it, what is encrypted in the database and its backups is lost.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
# An installation from before Grafana has all but its password.
[ -e secrets/grafana-password ] || openssl rand -hex 16 >secrets/grafana-password
[ -e secrets/secrets-key ] && { chmod 644 secrets/*; echo "ops/compose/secrets has secrets already; they are kept"; exit 0; }
password=$(openssl rand -hex 24)
printf '%s' "$password" >secrets/database-password
printf 'postgresql://partner_graph:%s@postgres:5432/partner_graph' "$password" >secrets/database-url
openssl rand -base64 32 >secrets/secrets-key
# Containers read them as a user of their own, through mounts of single files; the folder stays closed to other users.
chmod 644 secrets/*
[ -e settings.env ] || cp settings.env.example settings.env
echo "Made ops/compose/secrets and settings.env; start with: docker compose up --build"
