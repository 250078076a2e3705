// The SMPP server, by a client that others wrote: npm's smpp (tests/programs/esme).
#include "tests/programs/support/phone.hpp"
#include "tests/programs/support/smpp_rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"
#include "tools/rig/free_port.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#ifdef SMSRACK_ESME_MODULES

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using wire::Json;

const std::string number = "+33600000040";

/// Runs steps (tests/programs/esme/esme.cjs says which there are), and has what the client got.
class NpmEsme {
public:
    NpmEsme(const std::string& where, const Json& steps)
        : process_(
              {.words = {"/usr/bin/env", "SMSRACK_ESME_MODULES=" SMSRACK_ESME_MODULES, SMSRACK_NODE,
                         SMSRACK_SOURCE_DIR "/tests/programs/esme/esme.cjs", where, steps.dump()},
               .output = folder_.path() / "got"}) {}

    [[nodiscard]] std::string output() const { return read_file(folder_.path() / "got"); }

    /// All PDUs that came; each step was done.
    [[nodiscard]] std::vector<Json> finish() {
        const auto ending = process_.wait(60s);
        CAPTURE(output());
        REQUIRE(ending == Ending{0, 0});
        std::vector<Json> pdus;
        std::istringstream lines(output());
        for (std::string line; std::getline(lines, line);) {
            pdus.push_back(wire::parse_json(line).value());
        }
        return pdus;
    }

private:
    TempDir folder_;
    Process process_;
};

std::vector<Json> got_by_client(const SmppRack& rig, const Json& steps) {
    return NpmEsme(std::to_string(rig.port()), steps).finish();
}

/// Those of one kind, in order.
std::vector<Json> only(std::string_view command, const std::vector<Json>& pdus) {
    std::vector<Json> some;
    std::ranges::copy_if(pdus, std::back_inserter(some),
                         [&](const Json& pdu) { return pdu.at("command") == command; });
    return some;
}

std::vector<std::uint32_t> statuses(std::string_view command, const std::vector<Json>& pdus) {
    std::vector<std::uint32_t> all;
    for (const Json& pdu : only(command, pdus)) {
        all.push_back(pdu.at("command_status").get<std::uint32_t>());
    }
    return all;
}

Json bind(const char* command = "bind_transceiver", const char* password = "secret12") {
    return {
        {command, {{"system_id", "shop"}, {"password", password}, {"interface_version", 0x34}}}};
}

const Json unbind = {{"unbind", Json::object()}};

/// A submit_sm that asks for a receipt; `more` replaces and adds members.
Json submit(const Json& short_message, const Json& more = Json::object()) {
    Json message = {{"source_addr_ton", 5},
                    {"source_addr", "Bank"},
                    {"dest_addr_ton", 1},
                    {"dest_addr_npi", 1},
                    {"destination_addr", number.substr(1)},
                    {"registered_delivery", 1},
                    {"data_coding", 0},
                    {"short_message", short_message}};
    message.update(more);
    return {{"submit_sm", message}};
}

std::string text_of_receipt(const Json& receipt) {
    return receipt.at("short_message").at("message").get<std::string>();
}

}  // namespace

TEST_CASE(
    "smpp: npm's client binds as each kind, over TLS too, and is refused with the reason's "
    "status") {
    const std::uint16_t tls_port = rig::free_port();
    SmppRack rig("shop\n", {.config = fmt::format("listen_tls = \"127.0.0.1:{}\"\n", tls_port)});
    for (const char* const kind : {"bind_transceiver", "bind_transmitter", "bind_receiver"}) {
        CAPTURE(kind);
        const auto got = got_by_client(rig, {{{"enquire_link", Json::object()}},
                                             bind(kind),
                                             bind(kind),
                                             {{"enquire_link", Json::object()}},
                                             submit("Hello"),
                                             unbind});
        const std::string answer = std::string(kind) + "_resp";
        CHECK(statuses(answer, got) == std::vector<std::uint32_t>{0x00, 0x05});
        CHECK(only(answer, got)[0].at("system_id") == "smsrack");
        CHECK(only(answer, got)[0].at("sc_interface_version") == 0x34);
        const std::uint32_t wrong_state = kind == std::string_view("bind_receiver") ? 0x04 : 0x00;
        CHECK(statuses("submit_sm_resp", got) == std::vector<std::uint32_t>{wrong_state});
        CHECK(statuses("unbind_resp", got) == std::vector<std::uint32_t>{0x00});
    }
    const auto refused = got_by_client(rig, {submit("Hello"), bind("bind_transceiver", "wrong")});
    CHECK(statuses("submit_sm_resp", refused) == std::vector<std::uint32_t>{0x04});
    CHECK(statuses("bind_transceiver_resp", refused) == std::vector<std::uint32_t>{0x0D});
    NpmEsme safe(fmt::format("tls:{}", tls_port), {bind(), submit("Hello"), unbind});
    CHECK(statuses("submit_sm_resp", safe.finish()) == std::vector<std::uint32_t>{0x00});
}

TEST_CASE("smpp: what npm's client writes in any coding is what the phone shows") {
    SmppRack rig("shop dcs1=gsm7\n", {.modems = 1});
    const std::string gsm7 = "Grüße für 5 € @ {home} [x] ~ñ";
    const std::string ucs2 = "Привет, 世界 \U0001F600";
    const std::string latin1 = "Ça coûte 3 £ · ÿ";
    // Of which the client says ASCII, and sends GSM 7-bit.
    const std::string chosen_by_client = "¿5 € @ {café}_Ä$?";
    const std::string long_text = "begin " + std::string(400, 'a') + " end";
    std::string long_ucs2;
    for (int i = 0; i < 50; ++i) {
        long_ucs2 += "Жук ";
    }
    const Json steps = {
        bind(),
        submit(gsm7),
        submit(ucs2, {{"data_coding", 8}}),
        submit(latin1, {{"data_coding", 3}}),
        submit(chosen_by_client, {{"data_coding", nullptr}}),
        submit("Привет опять", {{"data_coding", nullptr}}),
        submit("", {{"message_payload", long_text}}),
        submit("", {{"data_coding", 8}, {"message_payload", long_ucs2}}),
        submit({{"udh", {{"hex", "050003070202"}}}, {"message", "by a header."}}),
        submit({{"udh", {{"hex", "050003070201"}}}, {"message", "One message "}}),
        submit({{"udh", {{"hex", "06080400080201"}}}, {"message", "Wide "}}),
        submit({{"udh", {{"hex", "06080400080202"}}}, {"message", "reference"}}),
        submit("One message ",
               {{"sar_msg_ref_num", 9}, {"sar_total_segments", 2}, {"sar_segment_seqnum", 1}}),
        submit("by options.",
               {{"sar_msg_ref_num", 9}, {"sar_total_segments", 2}, {"sar_segment_seqnum", 2}}),
        {{"data_sm",
          {{"destination_addr", number},
           {"data_coding", 0},
           {"message_payload", "By data_sm"},
           {"registered_delivery", 1}}}},
        {{"receive", 14}},
        unbind,
    };
    const auto got = got_by_client(rig, steps);
    CHECK(on_the_phone(rig.rack(), number) ==
          std::multiset<std::string>{gsm7, ucs2, latin1, chosen_by_client, "Привет опять",
                                     long_text, long_ucs2, "One message by a header.",
                                     "Wide reference", "One message by options.", "By data_sm"});
    std::multiset<std::string> accepted;
    for (const char* const answer : {"submit_sm_resp", "data_sm_resp"}) {
        for (const Json& pdu : only(answer, got)) {
            CHECK(pdu.at("command_status") == 0);
            accepted.insert(pdu.at("message_id").get<std::string>());
        }
    }
    std::multiset<std::string> told;
    for (const Json& receipt : only("deliver_sm", got)) {
        CHECK(receipt.at("esm_class") == 0x04);
        CHECK(receipt.at("message_state") == 2);
        told.insert(receipt.at("receipted_message_id").get<std::string>());
    }
    CHECK(accepted.size() == 14);
    CHECK(told == accepted);
}

TEST_CASE("smpp: npm's client gets the receipts that it asked for, and reads them") {
    SmppRack rig("shop\n", {.modems = 1});
    rig.rack().simulate({{"do", "report_status"}, {"status", 0x41}, {"count", 1}});
    const auto got = got_by_client(
        rig, {bind(),
              submit("It fails", {{"registered_delivery", 2}, {"user_message_reference", 4711}}),
              {{"receive", 1}},
              submit("Only on failure", {{"registered_delivery", 2}}),
              submit("None", {{"registered_delivery", 0}}),
              submit("Both kinds", {{"registered_delivery", 0x11}}),
              {{"receive", 2}},
              {{"quiet_ms", 500}},
              unbind});
    const auto receipts = only("deliver_sm", got);
    REQUIRE(receipts.size() == 3);
    const auto answers = only("submit_sm_resp", got);
    const Json& failed = receipts[0];
    CHECK(failed.at("user_message_reference") == 4711);
    CHECK(failed.at("receipted_message_id") == answers.at(0).at("message_id"));
    CHECK(failed.at("message_state") == 5);
    CHECK(failed.at("network_error_code") == "030041");
    CHECK(failed.at("source_addr") == number.substr(1));
    CHECK(failed.at("destination_addr") == "Bank");
    CHECK(text_of_receipt(failed).starts_with(
        fmt::format("id:{} sub:001 dlvrd:000 submit date:",
                    answers.at(0).at("message_id").get<std::string>())));
    CHECK(text_of_receipt(failed).ends_with("stat:UNDELIV err:065 text:It fails"));
    CHECK(receipts[1].at("esm_class") == 0x20);
    CHECK(receipts[1].at("message_state") == 1);
    CHECK(receipts[2].at("esm_class") == 0x04);
    CHECK(receipts[2].at("message_state") == 2);
    for (const Json& receipt : {receipts[1], receipts[2]}) {
        CHECK(receipt.at("receipted_message_id") == answers.at(3).at("message_id"));
    }
}

TEST_CASE("smpp: npm's client sends for later, asks, replaces and cancels") {
    SmppRack rig("shop\n");
    const Json source = {{"source_addr_ton", 5}, {"source_addr", "Bank"}};
    const auto with_id = [&](const char* id, Json more = Json::object()) {
        more.update(source);
        more["message_id"] = id;
        return more;
    };
    const auto got = got_by_client(
        rig,
        {bind(),
         submit("Later", {{"schedule_delivery_time", {{"in_s", 3600}}},
                          {"validity_period", {{"in_s", 7200}}},
                          {"priority_flag", 3}}),
         {{"query_sm", with_id("$1")}},
         {{"replace_sm", with_id("$1", {{"short_message", "New"}, {"registered_delivery", 1}})}},
         {{"cancel_sm", with_id("$1")}},
         {{"receive", 1}},
         {{"query_sm", with_id("$1")}},
         {{"cancel_sm", with_id("$1")}},
         submit("Soon", {{"validity_period", "000100000000"}, {"priority_flag", 0}}),
         {{"receive", 1}},
         submit("Never", {{"validity_period", "200101000000000+"}}),
         submit("Never", {{"schedule_delivery_time", "991399000000000+"}}),
         unbind});
    const auto ids = only("submit_sm_resp", got);
    CHECK(statuses("submit_sm_resp", got) == std::vector<std::uint32_t>{0, 0, 0x62, 0x61});
    const Json later = rig.rack().message(ids[0].at("message_id").get<std::string>());
    CHECK(later.at("state") == "cancelled");
    CHECK(later.at("text") == "New");
    CHECK(later.at("priority") == 6);
    CHECK(rig.rack().message(ids[1].at("message_id").get<std::string>()).at("priority") == 1);
    CHECK(on_the_phone(rig.rack(), number) == std::multiset<std::string>{"Soon"});
    CHECK(statuses("replace_sm_resp", got) == std::vector<std::uint32_t>{0});
    CHECK(statuses("cancel_sm_resp", got) == std::vector<std::uint32_t>{0, 0x11});
    const auto queries = only("query_sm_resp", got);
    REQUIRE(queries.size() == 2);
    CHECK(queries[0].at("message_state") == 1);
    CHECK(queries[0].at("final_date") == "");
    CHECK(queries[1].at("message_state") == 4);
    // The package makes a date of what it can read.
    CHECK(queries[1].at("final_date").get<std::string>().ends_with("Z"));
    CHECK(only("deliver_sm", got)[0].at("message_state") == 4);
}

TEST_CASE("smpp: npm's client writes to many numbers at once, and has many requests in flight") {
    SmppRack rig("shop\n", {.modems = 8});
    Json numbers = Json::array();
    for (int i = 0; i < 20; ++i) {
        numbers.push_back(
            {{"dest_addr_ton", 1}, {"destination_addr", fmt::format("336000001{:02}", i)}});
    }
    numbers.push_back({{"dest_addr_ton", 5}, {"destination_addr", "Nobody"}});
    Json together = Json::array();
    for (int i = 0; i < 40; ++i) {
        together.push_back(submit(fmt::format("Message {}", i)));
    }
    const auto got = got_by_client(rig, {bind(),
                                         {{"submit_multi",
                                           {{"source_addr", "Bank"},
                                            {"dest_address", numbers},
                                            {"registered_delivery", 1},
                                            {"data_coding", 0},
                                            {"short_message", "To all"}}}},
                                         {{"submit_multi",
                                           {{"source_addr", "Bank"},
                                            {"dest_address", {{{"dl_name", "friends"}}}},
                                            {"data_coding", 0},
                                            {"short_message", "To all"}}}},
                                         {{"receive", 20}},
                                         {{"together", together}},
                                         {{"receive", 40}},
                                         unbind});
    CHECK(statuses("submit_multi_resp", got) == std::vector<std::uint32_t>{0, 0x34});
    CHECK(only("submit_multi_resp", got)[0].at("unsuccess_sme") ==
          Json::array({{{"dest_addr_ton", 5},
                        {"dest_addr_npi", 0},
                        {"destination_addr", "Nobody"},
                        {"error_status_code", 0x0B}}}));
    for (int i = 0; i < 20; ++i) {
        CHECK(on_the_phone(rig.rack(), fmt::format("+336000001{:02}", i)) ==
              std::multiset<std::string>{"To all"});
    }
    CHECK(statuses("submit_sm_resp", got) == std::vector<std::uint32_t>(40, 0));
    CHECK(on_the_phone(rig.rack(), number).size() == 40);
}

TEST_CASE("smpp: npm's client receives what a phone writes, short, long and in any alphabet") {
    const std::string long_text = "long " + std::string(300, 'b');
    for (const bool in_parts : {false, true}) {
        CAPTURE(in_parts);
        SmppRack rig(in_parts ? "shop mo=all mo_parts=yes\n" : "shop mo=all\n", {.modems = 1});
        NpmEsme esme(std::to_string(rig.port()),
                     {bind("bind_receiver"), {{"receive", in_parts ? 4 : 3}}, unbind});
        REQUIRE(wait_for(20s, [&] { return esme.output().contains("bind_receiver_resp"); }));
        for (const std::string& text : {std::string("Is it 5 € @ {home}?"),
                                        std::string("Добрый день \U0001F600"), long_text}) {
            rig.rack().simulate({{"do", "inbound"}, {"from", number}, {"text", text}});
        }
        std::multiset<std::string> texts;
        std::string parts;
        for (const Json& received : only("deliver_sm", esme.finish())) {
            CHECK(received.at("source_addr_ton") == 1);
            CHECK(received.at("source_addr") == number.substr(1));
            const Json& place = received.at(received.contains("message_payload") ? "message_payload"
                                                                                 : "short_message");
            const auto text = place.at("message").get<std::string>();
            if (place.contains("udh")) {
                parts += text;
            } else {
                texts.insert(text);
            }
        }
        if (!parts.empty()) {
            texts.insert(parts);
        }
        CHECK(texts == std::multiset<std::string>{"Is it 5 € @ {home}?", "Добрый день \U0001F600",
                                                  long_text});
    }
}

}  // namespace smsrack::test

#else

TEST_CASE("smpp: a build without npm has no client of it") {
    MESSAGE("this build has no npm: its client of SMPP is not tried");
}

#endif
