#include "tests/programs/support/fault_table.hpp"

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using wire::Json;

/// An order at the beginning of the window, or later.
FaultOrder order(const char* word, const Json& members = Json::object(),
                 std::chrono::milliseconds at = 0ms) {
    Json all = members;
    all["do"] = word;
    return {.at = at, .order = std::move(all)};
}

/// The message in flight may have been sent or not.
constexpr int one_in_hand = 1;

FaultGroup silent_or_confused() {
    return {
        "it hangs, or sends unexpected lines",
        {
            {.name = "it hangs under a submit",
             .begin = {order("late_answer", {{"ms", 3000}}), order("hang", {}, 1500ms)},
             .end = {{{"do", "unhang"}}},
             .unknown = one_in_hand},
            {.name = "only a restart helps", .begin = {order("stall")}, .unknown = one_in_hand},
            {.name = "garbage on the line",
             .begin = {order("garbage", {{"count", 300}})},
             .unknown = one_in_hand},
            {.name = "octets one by one", .begin = {order("split", {{"count", 2000}})}},
            {.name = "a URC before each response", .begin = {order("interleave", {{"count", 60}})}},
            {.name = "a prompt is not seen", .begin = {order("drop_prompt")}},
            {.name = "answers after 2 s",
             .begin = {order("late_answer", {{"ms", 2000}, {"count", 2}})}},
            {.name = "an answer while draining", .begin = {order("late_answer", {{"ms", 6000}})}},
            {.name = "a call", .begin = {order("ring", {{"count", 3}})}},
        }};
}

FaultGroup restarts_and_refusals() {
    return {"it restarts, is unplugged, or is refused",
            {
                {.name = "it restarts", .begin = {order("reboot")}, .unknown = one_in_hand},
                {.name = "it restarts five times",
                 .begin = {order("reboot_loop", {{"count", 5}})},
                 .unknown = one_in_hand},
                {.name = "unplugged, and plugged in again",
                 .begin = {order("unplug")},
                 .end = {{{"do", "replug"}}},
                 .unknown = one_in_hand},
                {.name = "500 in place of the prompt",
                 .begin = {order("cms_error", {{"at", "command"}})}},
                {.name = "500 after the PDU", .begin = {order("cms_error")}, .unknown = 1},
                {.name = "42 three times, so that the SIM rests",
                 .begin = {order("cms_error", {{"code", 42}, {"count", 3}})}},
                {.name = "no such number, which is the message's own fault",
                 .begin = {order("cms_error", {{"code", 1}})},
                 .refused = 1},
                {.name = "no network",
                 .begin = {order("network_lost")},
                 .end = {{{"do", "network_back"}}},
                 .unknown = one_in_hand},
                {.name = "the network denies the SIM",
                 .begin = {order("denied")},
                 .end = {{{"do", "network_back"}}},
                 .unknown = one_in_hand},
                {.name = "a foreign network",
                 .begin = {order("roaming")},
                 .end = {{{"do", "network_back"}}}},
            }};
}

FaultGroup sim_card() {
    return {"the SIM",
            {
                {.name = "pulled out, and put in again",
                 .begin = {order("sim_removed")},
                 .end = {{{"do", "sim_inserted"}}},
                 .unknown = one_in_hand},
                {.name = "another one", .begin = {order("sim_swapped")}, .unknown = one_in_hand},
                {.name = "busy while the modem starts",
                 .begin = {order("reboot"), order("sim_busy", {{"count", 3}}, 100ms)},
                 .unknown = one_in_hand},
                {.name = "its centre's number is lost", .begin = {order("centre_lost")}},
                {.name = "full, while messages come in",
                 .begin = {order("storage_full"),
                           order("inbound", {{"text", "inbound {id}"}, {"count", 3}}, 500ms)},
                 .end = {{{"do", "storage_free"}}}},
                {.name = "it wants its PIN",
                 .begin = {order("pin_wanted", {{"pin", "4711"}})},
                 .unknown = one_in_hand,
                 .pin = "4711"},
                {.name = "it wants its PUK, which is a matter for people",
                 .begin = {order("puk_wanted")},
                 .unknown = one_in_hand,
                 .back = false},
            }};
}

FaultGroup answers_and_reports() {
    return {"answers and reports",
            {
                {.name = "an answer is lost", .begin = {order("lose_answer")}, .unknown = 1},
                {.name = "three answers are lost",
                 .begin = {order("lose_answer", {{"count", 3}})},
                 .unknown = 3},
                {.name = "reports before the answer",
                 .begin = {order("early_report", {{"count", 5}, {"ms", 200}})}},
                {.name = "reports 15 s later",
                 .begin = {order("late_report", {{"count", 5}, {"ms", 15'000}})}},
                {.name = "a temporary report before the final one",
                 .begin = {order("temporary_report", {{"count", 5}, {"ms", 3000}})}},
                {.name = "reports that say no", .begin = {order("report_status", {{"count", 5}})}},
                {.name = "a service centre two hours ahead",
                 .begin = {order("report_zone", {{"count", 5}})}},
                {.name = "reports never come", .begin = {order("lose_report", {{"count", 5}})}},
                {.name = "references are torn", .begin = {order("torn_reference", {{"count", 5}})}},
            }};
}

FaultGroup received() {
    const auto inbound = [](int count) {
        return order("inbound", {{"text", "inbound {id}"}, {"count", count}}, 200ms);
    };
    const auto long_inbound = [](int count) {
        return order("inbound",
                     {{"text", "inbound {id} " + std::string(200, 'x')}, {"count", count}}, 200ms);
    };
    return {"messages received",
            {
                {.name = "each comes twice",
                 .begin = {order("duplicate_inbound", {{"count", 4}}), inbound(4)}},
                {.name = "nobody can read them",
                 .begin = {order("undecodable", {{"count", 2}}), inbound(2)},
                 .undecodable = 2},
                {.name = "nothing tells of them",
                 .begin = {order("lose_urc", {{"count", 2}}), inbound(4)}},
                {.name = "from a centre without a clock",
                 .begin = {order("dead_clock", {{"count", 4}}), inbound(4)}},
                {.name = "long ones with one reference",
                 .begin = {order("same_reference", {{"count", 3}}), long_inbound(3)}},
                {.name = "the SIM refuses to erase",
                 .begin = {order("erase_refused", {{"count", 4}}), inbound(4)}},
                {.name = "the SIM is slow to erase",
                 .begin = {order("erase_slow", {{"count", 2}, {"ms", 2000}}), inbound(4)}},
            }};
}

FaultGroup torn() {
    const auto inbound = order("inbound", {{"text", "inbound {id}"}, {"count", 4}}, 200ms);
    return {"answers are torn",
            {
                {.name = "URCs inside them",
                 .begin = {order("urc_inside", {{"count", 60}, {"percent", 30}}), inbound}},
                {.name = "octets are lost",
                 .begin = {order("lose_octets", {{"count", 60}, {"percent", 10}}), inbound},
                 .unknown = 2},
                {.name = "the end of a listing",
                 .begin = {order("torn_list_end", {{"count", 3}}), order("reboot"), inbound},
                 .unknown = one_in_hand},
            }};
}

}  // namespace

const std::vector<FaultGroup>& modem_faults() {
    static const std::vector groups{silent_or_confused(), restarts_and_refusals(), sim_card()};
    return groups;
}

const std::vector<FaultGroup>& message_faults() {
    static const std::vector groups{answers_and_reports(), received(), torn()};
    return groups;
}

}  // namespace smsrack::test
