/// Rack, gate and a receiver that checks each signature by itself: that of the documentation (docs/webhook_receiver.py), or
/// one by npm's standardwebhooks (tests/programs/receiver).
///
/// Threads: one.
#pragma once

#include "tests/support/rack.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

/// One request that the receiver took.
struct HookCall {
    std::string id = {};    ///< "evt_4711"
    std::string body = {};  ///< JSON

    [[nodiscard]] std::int64_t number() const;
};

/// What a receiver got, looked at as a whole.
struct HookAudit {
    std::size_t events = 0;        ///< different ones
    std::size_t repeated = 0;      ///< requests that brought an event again
    std::size_t changed = 0;       ///< events that came again with another body
    std::size_t out_of_order = 0;  ///< events that came before an earlier one of their message
    /// Types in the order in which they came, by id of the message.
    std::map<std::string, std::vector<std::string>> of_message = {};
};
[[nodiscard]] HookAudit audit_of(const std::vector<HookCall>& calls);

class HookRack {
public:
    /// `keys`: further TOML of the webhook "crm"; `more`: of the file.
    explicit HookRack(const std::string& events, unsigned modems = 2, const std::string& keys = {},
                      const std::string& more = {});

    void start_receiver();
    /// By npm's standardwebhooks; where the build has no npm, that of the documentation.
    void start_npm_receiver();
    void stop_receiver() { receiver_.reset(); }
    void start_gate();
    void kill_gate();
    [[nodiscard]] bool gate_runs() { return gate_ && gate_->running(); }

    /// What the receiver has taken so far.
    [[nodiscard]] std::vector<HookCall> calls() const;
    /// How many requests the npm receiver found wrong.
    [[nodiscard]] std::size_t refused() const;
    [[nodiscard]] std::string gate_log() const;
    [[nodiscard]] Rack& rack() { return rack_; }
    [[nodiscard]] Process& gate() { return *gate_; }
    [[nodiscard]] std::string file(const std::string& name) const {
        return (folder_.path() / name).string();
    }
    [[nodiscard]] int port() const { return port_; }

private:
    void start(Command command);

    TempDir folder_;
    const int port_;
    Rack rack_;
    std::unique_ptr<Process> receiver_;
    std::unique_ptr<Process> gate_;
};

}  // namespace smsrack::test
