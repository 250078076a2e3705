/// Rack and gate, with a certificate and a token for each role: a user's way over the network.
///
/// Threads: one, but for `call`, `curl_words` and `token`, which any thread may call.
/// Errors:  doctest's REQUIRE, where a program does not do what it must.
#pragma once

#include "tests/support/rack.hpp"
#include "tools/rig/free_port.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

using rig::free_port;

class GateRack {
public:
    /// `more`: TOML behind the table [http]. The modems' ways are those of `plan`, its `config` is not used.
    explicit GateRack(const std::string& more = "", RackPlan plan = {});

    /// `smsrack` with these words.
    [[nodiscard]] Finished smsrack(std::vector<std::string> words) const;
    [[nodiscard]] std::string new_token(const std::string& name, const std::string& role) const;
    void revoke(const std::string& name) const;

    void start_gate();
    [[nodiscard]] Process& gate() { return *gate_; }
    [[nodiscard]] std::string gate_log() const;
    [[nodiscard]] Rack& rack() { return rack_; }
    [[nodiscard]] const Rack& rack() const { return rack_; }

    [[nodiscard]] std::string file(const std::string& name) const;
    [[nodiscard]] std::string certificate() const { return file("tls.pem"); }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::string place() const;
    /// Of the role of this name.
    [[nodiscard]] std::string token(const std::string& name) const { return tokens_.at(name); }

    [[nodiscard]] std::vector<std::string> curl_words(const std::string& token,
                                                      const std::string& target) const;
    /// An answer with its head; `body` empty: GET.
    [[nodiscard]] HttpAnswer call(const std::string& token, const std::string& target,
                                  const std::string& body = {}) const;
    /// As a browser, which keeps its cookies.
    [[nodiscard]] HttpAnswer browse(const std::string& target,
                                    const std::vector<std::string>& more = {}) const;
    /// What openssl says of a connection; `input` is sent first.
    [[nodiscard]] Finished s_client(std::vector<std::string> more,
                                    const std::string& input = {}) const;
    /// Starts a hand-over to the same program, and follows it.
    void upgrade_service();

private:
    [[nodiscard]] RackPlan plan_with(RackPlan plan, const std::string& more) const;

    TempDir folder_;
    const std::uint16_t port_;
    Rack rack_;
    std::map<std::string, std::string> tokens_;
    std::unique_ptr<Process> gate_;
};

/// A client that listens in the background and writes what it hears to a file.
class Listening {
public:
    /// Returns when the stream has begun.
    Listening(const GateRack& rig, const std::string& token, const std::string& name,
              const std::string& target = "/v1/events");
    [[nodiscard]] std::string heard() const;
    [[nodiscard]] std::vector<long> ids() const;
    [[nodiscard]] Process& process() { return *process_; }

private:
    std::string file_;
    std::unique_ptr<Process> process_;
};

/// Of the events in the text of a stream, in order.
[[nodiscard]] std::vector<long> event_ids(const std::string& stream);

}  // namespace smsrack::test
