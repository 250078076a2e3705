#include "tests/programs/support/smpp_rack.hpp"

#include "src/access/password.hpp"
#include "tests/support/wait_for.hpp"
#include "tools/rig/free_port.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace smsrack::test {

using namespace std::chrono_literals;

SmppRack::SmppRack(const std::string& accounts, RackPlan plan) : port_(rig::free_port()) {
    write_accounts(accounts);
    gate_ = std::make_unique<GateRack>(
        fmt::format("[smpp]\nlisten = \"127.0.0.1:{}\"\naccounts = \"{}\"\n{}", port_,
                    accounts_file(), plan.config),
        std::move(plan));
    const bool listens =
        wait_for(20s, [&] { return gate_->gate_log().contains("event=smpp_listening"); });
    CAPTURE(gate_->gate_log());
    REQUIRE(listens);
}

void SmppRack::write_accounts(const std::string& accounts) const {
    static const std::string hash = access::password_hash("secret12").value();
    std::string text;
    std::istringstream lines(accounts);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t end = std::min(line.find(' '), line.size());
        text += fmt::format("{} {}{}\n", line.substr(0, end), hash, line.substr(end));
    }
    const std::string fresh = accounts_file() + ".new";
    std::ofstream(fresh) << text;
    std::filesystem::permissions(
        fresh, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::rename(fresh, accounts_file());
}

void SmppRack::start_gate() {
    gate_->start_gate();
    REQUIRE(wait_for(20s, [&] {
        try {
            (void)connect();
            return true;
        } catch (const std::runtime_error&) {
            return false;
        }
    }));
}

rig::Esme SmppRack::bound(const std::string& name, smpp::Command kind) const {
    rig::Esme esme(port_);
    REQUIRE(esme.bind(name, "secret12", kind) == smpp::Status::ok);
    return esme;
}

smpp::Message message_to(const std::string& number, std::string_view text) {
    return {.source = {.ton = 5, .npi = 0, .text = "Bank"},
            .destination = {.ton = 1, .npi = 1, .text = number.substr(number.starts_with('+'))},
            .registered_delivery = 1,
            .short_message = std::string(text)};
}

std::string submitted(rig::Esme& esme, const smpp::Message& message) {
    const auto answer = esme.answer_to(esme.send(smpp::Command::submit_sm, message), 20s);
    REQUIRE(answer);
    REQUIRE(answer->header.status == smpp::Status::ok);
    return std::get<smpp::MessageAnswer>(answer->body).message_id;
}

smpp::Status status_of(rig::Esme& esme, smpp::Command command, smpp::Body body) {
    const auto answer = esme.answer_to(esme.send(command, std::move(body)), 20s);
    REQUIRE(answer);
    return answer->header.status;
}

smpp::Message delivered(rig::Esme& esme) {
    const auto pdu = esme.read(20s);
    REQUIRE(pdu);
    REQUIRE(pdu->header.command == smpp::Command::deliver_sm);
    esme.answer(pdu->header);
    esme.flush();
    return std::get<smpp::Message>(pdu->body);
}

std::string stat_of(const smpp::Message& receipt) {
    const std::string& text = receipt.short_message;
    const std::size_t at = text.find("stat:");
    REQUIRE(at != std::string::npos);
    return text.substr(at + 5, text.find(' ', at) - at - 5);
}

std::string id_of(const smpp::Message& receipt) {
    const smpp::Tlv* const id = smpp::find(receipt.tlvs, smpp::Tag::receipted_message_id);
    REQUIRE(id != nullptr);
    return std::string(id->text());
}

}  // namespace smsrack::test
