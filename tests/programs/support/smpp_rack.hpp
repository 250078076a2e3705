/// Rack and gate with an SMPP server, and clients of it.
///
/// Threads: one.
/// Errors:  doctest's REQUIRE, where a program does not do what it must.
#pragma once

#include "tests/programs/support/gate_rack.hpp"
#include "tools/rig/esme.hpp"

#include <string>
#include <string_view>

namespace smsrack::test {

class SmppRack {
public:
    /// `accounts`: lines of a name and options; each has the password "secret12". `plan.config`: further tables.
    explicit SmppRack(const std::string& accounts = "shop\nbank\n", RackPlan plan = {});

    [[nodiscard]] GateRack& gate() { return *gate_; }
    [[nodiscard]] Rack& rack() { return gate_->rack(); }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    /// A connection, not bound.
    [[nodiscard]] rig::Esme connect() const { return rig::Esme(port_); }
    /// A bound session.
    [[nodiscard]] rig::Esme bound(const std::string& name,
                                  smpp::Command kind = smpp::Command::bind_transceiver) const;
    void write_accounts(const std::string& accounts) const;
    [[nodiscard]] std::string accounts_file() const { return folder_.path() / "accounts"; }
    /// A new gate, after its kill.
    void start_gate();

private:
    TempDir folder_;
    const std::uint16_t port_;
    std::unique_ptr<GateRack> gate_;
};

/// A submit_sm that asks for a receipt.
[[nodiscard]] smpp::Message message_to(const std::string& number, std::string_view text);

/// Submits it; the id.
[[nodiscard]] std::string submitted(rig::Esme& esme, const smpp::Message& message);
/// The status of the answer to it.
[[nodiscard]] smpp::Status status_of(rig::Esme& esme, smpp::Command command, smpp::Body body);

/// The next deliver_sm, which is acknowledged.
[[nodiscard]] smpp::Message delivered(rig::Esme& esme);
/// "DELIVRD" of a receipt.
[[nodiscard]] std::string stat_of(const smpp::Message& receipt);
[[nodiscard]] std::string id_of(const smpp::Message& receipt);

}  // namespace smsrack::test
