// A token that was made with --masked: no answer and no stream has a whole number or a text.
#include "src/access/token.hpp"
#include "src/api/masking.hpp"
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::test {
namespace {

const std::string number = "+33698765432";
const std::string text = "meet me at the harbour";
const std::string note = "invoice of Mr Grey";
const std::string dialogue = "AT+CMGS=23\n> 0011000B913396785634F2";
const wire::Peer gate{.uid = ApiRig::gate_uid, .gid = 985, .known = true};

/// Numbers and texts everywhere.
void fill(ApiRig& rig) {
    ports::MessageRow row{.id = MessageId{5}, .to = number};
    row.body.text = text;
    row.note = note;
    row.batch = "batch " + number;
    rig.store.reader.message_rows = {row};
    rig.store.reader.detail.message = row;
    rig.store.reader.detail.attempts = {
        {.id = AttemptId{6},
         .number = 1,
         .modem = "m1",
         .notes = {{.kind = ports::NoteKind::dialogue, .text = dialogue}}}};
    ports::InboxRow received{.id = InboxId{7}, .from = number, .to = number, .modem = "m1"};
    received.content.text = text;
    rig.store.reader.inbox_rows = {received};
    rig.store.reader.conversation_rows.rows = {
        {.number = number, .last = received, .sent = 1, .received = 1, .cursor = 7}};
    rig.store.reader.opt_out_rows = {{.number = number}, {.number = number + "1"}};
    rig.store.reader.batch_rows = {{.id = BatchId{9}, .name = "spring"}};
    rig.rack.rack_status.ready = true;
    rig.rack.line_views = {{.name = "m1"}};
    rig.rack.line_views[0].identity.number = number;
    rig.rack.line_views[0].detail = "the SIM of " + number;
    rig.rack.rack_status.conditions = {{.kind = ports::ConditionKind::modem_silent,
                                        .subject = "modem m1",
                                        .text = "it does not answer",
                                        .advice = "call " + number}};
    rig.triggers.trace_answer->number = number;
    rig.store.reader.client_rows = {{.id = ClientId{71}, .name = "eyes"}};
    rig.commit_events({{.seq = EventSeq{8},
                        .message = MessageId{5},
                        .to = number,
                        .note = note,
                        .state = MessageState::sent,
                        .modem = "m1"},
                       {.seq = EventSeq{9},
                        .type = EventType::message_received,
                        .inbox = InboxId{7},
                        .modem = "m1"}});
}

void set_tokens(ApiRig& rig) {
    rig.tokens.set(
        {{.name = "eyes",
          .role = access::Role::read,
          .hash = access::token_hash("eyes"),
          .masked = true},
         {.name = "plain", .role = access::Role::read, .hash = access::token_hash("plain")}});
}

std::string target_of(const api::Route& route) {
    std::string path(route.path);
    const std::size_t begin = path.find('{');
    if (begin != std::string::npos) {
        const std::string name = path.substr(begin, path.find('}') + 1 - begin);
        const std::string value = name == "{number}"                         ? number
                                  : name == "{id}" && path.contains("inbox") ? "7"
                                  : name == "{id}"                           ? "5"
                                  : path.contains("modems")                  ? "m1"
                                  : path.contains("batches")                 ? "spring"
                                  : path.contains("triggers")                ? "welcome"
                                                                             : "eyes";
        path.replace(begin, name.size(), value);
    }
    return path.ends_with("/trace") ? path + "?number=" + number
           : path == "/v1/messages" ? path + "?text=true"
           : path == "/v1/optouts"  ? path + "?limit=1"
                                    : path;
}

/// All that the call says, of a stream too.
std::string said(ApiRig& rig, const std::string& token, const std::string& target) {
    const auto responder =
        rig.done_by(gate, "GET", target, "",
                    {{"smsrack-token", access::token_hash(token)}, {"last-event-id", "1"}});
    CAPTURE(target);
    // A call for a name that this rig does not have yet.
    CHECK((responder->answer.status == 200 || responder->answer.status == 404));
    std::string all = responder->answer.body + responder->written;
    for (const wire::HeaderField& field : responder->answer.headers) {
        all += field.value;
    }
    responder->revoke();  // a stream and its answer hold each other
    return all;
}

}  // namespace

TEST_CASE("masked: no read call and no event has a whole number or a text") {
    ApiRig rig;
    fill(rig);
    set_tokens(rig);
    int with_secrets = 0;
    std::string noted;
    for (const api::Route& route : api::routes()) {
        if (route.method != "GET" || route.role == access::Role::admin) {
            continue;
        }
        const std::string target = target_of(route);
        CAPTURE(target);
        const std::string plain = said(rig, "plain", target);
        const std::string masked = said(rig, "eyes", target);
        with_secrets += plain.contains(number) || plain.contains(text) ? 1 : 0;
        noted += plain.contains(note) ? std::string(route.path) + " " : "";
        CHECK_FALSE(masked.empty());
        for (const std::string& secret :
             {number, number.substr(1), number.substr(4), text, std::string("harbour"), note,
              dialogue, std::string("0011000B91")}) {
            CAPTURE(secret);
            CHECK_FALSE(masked.contains(secret));
        }
    }
    CHECK(with_secrets >= 12);  // else this test would see nothing
    CHECK(noted == "/v1/messages/{id} /v1/messages /v1/events ");
}

TEST_CASE("masked: GET /v1/session says that answers are masked") {
    ApiRig rig;
    set_tokens(rig);
    CHECK(said(rig, "eyes", "/v1/session").contains("\"masked\":true"));
    CHECK(said(rig, "plain", "/v1/session").contains("\"masked\":false"));
}

TEST_CASE("masked: what is no number stays, and a list in order of number ends with its page") {
    ApiRig rig;
    fill(rig);
    set_tokens(rig);
    const auto json = [&](const std::string& target) {
        return wire::parse_json(said(rig, "eyes", target)).value();
    };
    const auto messages = json("/v1/messages?text=true");
    CHECK(messages["messages"][0]["id"] == "5");
    CHECK(messages["messages"][0]["to"] == "+336*****432");
    CHECK(messages["messages"][0]["text"] == "***");
    CHECK(json("/v1/attention")["attention"][0]["cause"] == "it does not answer");
    CHECK(json("/v1/status")["conditions"][0]["text"] == "it does not answer");
    CHECK(json("/v1/history")["from"].get<std::string>().ends_with("Z"));
    CHECK(json("/v1/optouts?limit=1")["next"].is_null());
    CHECK(said(rig, "eyes", "/metrics").contains("smsrack_"));
}

TEST_CASE("masked: neither numbers nor texts can be searched for, since they could be guessed") {
    ApiRig rig;
    fill(rig);
    set_tokens(rig);
    for (const char* const target : {"/v1/messages?q=0698", "/v1/messages?contains=secret",
                                     "/v1/inbox?q=0698", "/v1/inbox?contains=secret"}) {
        CAPTURE(target);
        const std::vector<wire::HeaderField> eyes{{"smsrack-token", access::token_hash("eyes")}};
        CHECK(rig.done_by(gate, "GET", target, "", eyes)->answer.status == 403);
        const std::vector<wire::HeaderField> plain{{"smsrack-token", access::token_hash("plain")}};
        CHECK(rig.done_by(gate, "GET", target, "", plain)->answer.status == 200);
    }
}

TEST_CASE("masked: a problem that names a number, and JSON that is none") {
    CHECK(api::masked_json(R"({"detail":"+33698765432 has opted out","status":409})") ==
          R"({"detail":"+336*****432 has opted out","status":409})");
    CHECK(api::masked_json("{") == "null");
    CHECK(api::masked_digits("1234567 and 123456") ==
          "*******"
          " and 123456");
    CHECK(api::masked_digits("++33698765432+") == "++336*****432+");
    CHECK(api::masked_json(R"({"from":"BANK","to":"2026-11-26T12:58:44.120Z"})") ==
          R"({"from":"****","to":"2026-11-26T12:58:44.120Z"})");
}

}  // namespace smsrack::test
