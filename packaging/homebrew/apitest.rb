# A formula for Homebrew on Linux. It is not tested. The program requires glibc @GLIBC@ or newer.
class Apitest < Formula
  desc "@SUMMARY@"
  homepage "@ADDRESS@"
  url "@ADDRESS@/@TARBALL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "@LICENSE@"

  depends_on arch: :@ARCHITECTURE@
  depends_on :linux

  def install
    bin.install "bin/apitest"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/apitest"
    zsh_completion.install "share/zsh/site-functions/_apitest"
    fish_completion.install "share/fish/vendor_completions.d/apitest.fish"
    doc.install Dir["share/doc/apitest/*"]
  end

  test do
    system bin/"apitest", "init"
    system bin/"apitest"
  end
end
