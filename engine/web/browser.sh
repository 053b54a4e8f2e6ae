# Sourced by the scripts that test the page: finds a browser for them ($CHROMIUM), and installs what they lack.

# Installs packages of Debian or its kin.
install_packages() {
  local root=()
  [[ "$(id -u)" == 0 ]] || root=(sudo)
  "${root[@]}" apt-get -o DPkg::Lock::Timeout=300 update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq "$@"
}

# Chromium without windows costs a page a third of the time. Some hosts have no package of it, but a browser of their own.
if [[ -z "${CHROMIUM:-}" ]]; then
  CHROMIUM=/usr/bin/chromium-headless-shell
  if [[ ! -x "$CHROMIUM" ]] && command -v google-chrome >/dev/null; then
    CHROMIUM="$(command -v google-chrome)"
  fi
fi
export CHROMIUM
missing=()
[[ -x "$CHROMIUM" ]] || missing+=(chromium-headless-shell)
