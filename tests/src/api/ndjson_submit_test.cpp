#include "src/api/submit/ndjson_submit.hpp"

#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace smsrack;

namespace {

struct Upload {
    explicit Upload(test::ApiRig& rig) : responder(std::make_shared<test::FakeResponder>()) {
        auto head = test::ApiRig::request_of("POST", "/v1/messages",
                                             {{"content-type", "application/x-ndjson"}});
        REQUIRE(rig.api.wants_stream(head));
        reader = rig.api.stream(std::move(head), responder);
        REQUIRE(reader);
    }
    std::vector<std::string> answers() const {
        std::vector<std::string> lines;
        std::string rest = responder->written;
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            REQUIRE(end != std::string::npos);
            lines.push_back(rest.substr(0, end));
            rest.erase(0, end + 1);
        }
        return lines;
    }
    std::shared_ptr<test::FakeResponder> responder;
    std::unique_ptr<wire::BodyReader> reader;
};

std::string line(int i) {
    return R"({"to":"+336000)" + std::to_string(10000 + i) + R"(","text":"x"})" + "\n";
}

}  // namespace

TEST_CASE(
    "NDJSON: answers come in the order of the lines, each after its commit; a bad one hurts no "
    "other") {
    test::ApiRig rig;
    Upload upload(rig);
    upload.reader->data(line(1) + "{\"to\":1}\n" + line(3) + "\n" + "{\"to\":\"+33612345678\"");
    rig.loop.run_all();
    CHECK(upload.responder->written.empty());
    REQUIRE(rig.store.accepting.size() == 2);
    // The second one is committed first.
    auto first = std::move(rig.store.accepting.front());
    rig.store.accepting.pop_front();
    rig.store.commit_one(ports::Accepted{.id = MessageId{3}});
    rig.loop.run_all();
    CHECK(upload.responder->written.empty());
    first.done(ports::Accepted{.id = MessageId{1}});
    rig.loop.run_all();
    auto answers = upload.answers();
    REQUIRE(answers.size() == 3);
    CHECK(answers[0] == R"({"id":"1","state":"queued","segments":1})");
    CHECK(wire::parse_json(answers[1]).value()["error"]["code"] == "bad_request");
    CHECK(wire::parse_json(answers[1]).value()["error"]["line"] == 2);
    CHECK(answers[2] == R"({"id":"3","state":"queued","segments":1})");

    upload.reader->data(",\"text\":\"y\"}");
    upload.reader->end();
    upload.reader.reset();
    CHECK(upload.responder->streaming);
    rig.settle();
    CHECK_FALSE(upload.responder->streaming);
    CHECK(upload.answers().size() == 4);
    CHECK(upload.responder->answer.status == 200);
    CHECK(rig.stats.value(stats::Counter::ndjson_lines) == 4);
    CHECK(rig.stats.value(stats::Counter::messages_accepted) == 3);
}

TEST_CASE("NDJSON: an empty body gets an empty answer") {
    test::ApiRig rig;
    Upload upload(rig);
    upload.reader->end();
    CHECK(upload.responder->answered);
    CHECK(upload.responder->written.empty());
    const auto empty =
        rig.done("POST", "/v1/messages", "", {{"content-type", "application/x-ndjson"}});
    CHECK(empty->answer.status == 200);
}

TEST_CASE("NDJSON: a line above 64 KiB gets 413, the next is taken") {
    test::ApiRig rig;
    Upload upload(rig);
    upload.reader->data(std::string(70'000, 'x') + "\n" + line(2));
    upload.reader->end();
    rig.settle();
    const auto answers = upload.answers();
    REQUIRE(answers.size() == 2);
    CHECK(wire::parse_json(answers[0]).value()["error"]["code"] == "payload_too_large");
    CHECK(wire::parse_json(answers[1]).value().contains("id"));
}

TEST_CASE(
    "NDJSON: no more than BulkWindow::lines_max lines are in flight; the body pauses and resumes") {
    test::ApiRig rig;
    Upload upload(rig);
    constexpr int lines = 3000;
    std::string body;
    for (int i = 0; i < lines; ++i) {
        body += line(i);
    }
    upload.reader->data(body);
    upload.reader->end();
    CHECK(rig.store.accepting.size() == api::BulkWindow::lines_max);
    CHECK(upload.responder->body_paused);
    rig.store.commit_one(ports::Accepted{.id = MessageId{1}});
    rig.loop.run_all();
    CHECK(rig.store.accepting.size() == api::BulkWindow::lines_max);
    rig.settle();
    CHECK(upload.answers().size() == lines);
    CHECK_FALSE(upload.responder->body_paused);
    CHECK(upload.responder->answered);
}

TEST_CASE("NDJSON: many bodies share the room for lines in flight, and each of them resumes") {
    test::ApiRig rig;
    constexpr std::size_t bodies = 24;
    constexpr std::size_t lines = 2'500;
    constexpr std::size_t bound =
        2 * api::BulkWindow::lines_max + bodies * api::BulkWindow::lines_least;
    static_assert(bound < 8'192);  // of the store's queue: beyond, lines would be refused
    std::string body;
    for (std::size_t i = 0; i < lines; ++i) {
        body += line(static_cast<int>(i));
    }
    std::vector<std::unique_ptr<Upload>> uploads;
    for (std::size_t i = 0; i < bodies; ++i) {
        uploads.push_back(std::make_unique<Upload>(rig));
        uploads.back()->reader->data(body);
        CHECK(uploads.back()->responder->body_paused);
    }
    std::size_t held = 0;
    for (const auto& upload : uploads) {
        held += upload->responder->held - body.size();
    }
    CHECK(held <= bound * 1'024);
    CHECK(rig.store.accepting.size() <= bound);
    for (const auto& upload : uploads) {
        upload->reader->end();
    }
    while (!rig.store.accepting.empty()) {
        rig.store.commit_one(ports::Accepted{.id = MessageId{1}});
        rig.loop.run_all();
        REQUIRE(rig.store.accepting.size() <= bound);
    }
    for (const auto& upload : uploads) {
        CHECK(upload->responder->answered);
        CHECK(std::ranges::count(upload->responder->written, '\n') == lines);
    }
}

TEST_CASE("NDJSON: bodies with a line each leave the room to one with many") {
    test::ApiRig rig;
    constexpr std::size_t small = 100;
    std::vector<std::unique_ptr<Upload>> uploads;
    for (std::size_t i = 0; i < small; ++i) {
        uploads.push_back(std::make_unique<Upload>(rig));
        uploads.back()->reader->data(line(0));
    }
    Upload bulk(rig);
    std::string body;
    for (int i = 0; i < 3'000; ++i) {
        body += line(i);
    }
    bulk.reader->data(body);
    CHECK(rig.store.accepting.size() >= api::BulkWindow::lines_max / 2);
    CHECK(rig.store.accepting.size() <= api::BulkWindow::lines_max);
    bulk.reader->end();
    rig.settle();
    CHECK(bulk.responder->answered);
}

TEST_CASE("NDJSON: more bad lines than may be in flight are all answered, without a wait") {
    test::ApiRig rig;
    Upload upload(rig);
    constexpr std::size_t lines = 3 * api::BulkWindow::lines_max;
    std::string body;
    for (std::size_t i = 0; i < lines; ++i) {
        body += "x\n";
    }
    upload.reader->data(body);
    upload.reader->end();
    CHECK(upload.answers().size() == lines);
    CHECK_FALSE(upload.responder->body_paused);
    CHECK(upload.responder->answered);
}

TEST_CASE("NDJSON: a client that goes away loses its answers, not its accepted messages") {
    test::ApiRig rig;
    Upload upload(rig);
    upload.reader->data(line(1) + line(2) + "{\"half");
    upload.reader->aborted();
    upload.reader.reset();
    rig.settle();
    CHECK(rig.store.last_id == 2);
    CHECK(upload.responder->written.empty());
    CHECK(rig.stats.value(stats::Counter::messages_accepted) == 2);
}

TEST_CASE("NDJSON: another process resumes in the middle of a line, and counts on") {
    test::ApiRig first;
    Upload upload(first);
    REQUIRE(upload.responder->mark);  // before the first line too
    upload.reader->data(line(1) + line(2) + "{\"to\":");
    CHECK_FALSE(upload.responder->mark);  // two lines are in flight
    first.settle();
    CHECK(upload.answers().size() == 2);
    REQUIRE(upload.responder->mark);
    const std::string mark = upload.responder->mark();

    test::ApiRig second;
    auto responder = std::make_shared<test::FakeResponder>();
    const auto reader = second.api.resume(mark, wire::Peer{.uid = 0, .known = true}, responder);
    REQUIRE(reader);
    reader->data("1}\n" + line(4));
    reader->end();
    second.settle();
    const auto answered = responder->written;
    CHECK(answered.contains("\"line\":3"));
    CHECK(answered.contains("\"id\":"));
    CHECK(second.stats.value(stats::Counter::ndjson_lines) == 2);

    auto cut = std::make_shared<test::FakeResponder>();
    CHECK(second.api.resume("lines of another version", wire::Peer{.uid = 0, .known = true}, cut) ==
          nullptr);
    CHECK(cut->was_cut);
}

TEST_CASE("NDJSON: where the service stops, half a line is not answered") {
    test::ApiRig rig;
    Upload upload(rig);
    upload.reader->data(line(1) + "{\"to\":");
    upload.reader->stopped();
    rig.settle();
    CHECK(upload.answers().size() == 1);
    CHECK(upload.responder->answered);
}

TEST_CASE("NDJSON: a key for all lines is refused") {
    test::ApiRig rig;
    auto responder = std::make_shared<test::FakeResponder>();
    auto head = test::ApiRig::request_of(
        "POST", "/v1/messages",
        {{"content-type", "application/x-ndjson"}, {"idempotency-key", "k"}});
    CHECK(rig.api.stream(std::move(head), responder) == nullptr);
    CHECK(responder->answer.status == 400);
}
