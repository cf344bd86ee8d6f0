class Margay < Formula
  desc "Check, explain and run the Quality-of-Service part of Ocelot configuration"
  homepage "https://github.com/margay-dev/margay"
  version "{{.Version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "https://github.com/margay-dev/margay/releases/download/v{{.Version}}/margay_{{.Version}}_darwin_arm64.tar.gz"
      sha256 "{{index .Sums "darwin/arm64"}}"
    end
    on_intel do
      url "https://github.com/margay-dev/margay/releases/download/v{{.Version}}/margay_{{.Version}}_darwin_amd64.tar.gz"
      sha256 "{{index .Sums "darwin/amd64"}}"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/margay-dev/margay/releases/download/v{{.Version}}/margay_{{.Version}}_linux_arm64.tar.gz"
      sha256 "{{index .Sums "linux/arm64"}}"
    end
    on_intel do
      url "https://github.com/margay-dev/margay/releases/download/v{{.Version}}/margay_{{.Version}}_linux_amd64.tar.gz"
      sha256 "{{index .Sums "linux/amd64"}}"
    end
  end

  def install
    bin.install "margay"
    bash_completion.install "completions/margay.bash" => "margay"
    zsh_completion.install "completions/_margay"
    fish_completion.install "completions/margay.fish"
  end

  test do
    (testpath/"ocelot.json").write <<~JSON
      { "Routes": [ { "UpstreamPathTemplate": "/", "QoSOptions": { "Timeout": "5s" } } ] }
    JSON
    assert_match "type-mismatch", shell_output("#{bin}/margay lint ocelot.json", 1)
  end
end
