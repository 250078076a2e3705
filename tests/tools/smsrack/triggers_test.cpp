#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <string>
#include <string_view>

using namespace smsrack::test;

namespace {

/// Every line that holds "bad" is bad, every other one is seen.
std::string fed(const FakeRequest& request) {
    int line = 0;
    int bad = 0;
    std::string samples;
    std::string_view rest = request.body;
    while (!rest.empty()) {
        const std::string_view text = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(text.size() + 1, rest.size()));
        ++line;
        if (text.contains("bad")) {
            ++bad;
            samples += fmt::format(R"({}{{"line":{},"why":"number: is missing"}})",
                                   samples.empty() ? "" : ",", line);
        }
    }
    return answer_json(
        "200 OK",
        fmt::format(R"({{"accepted":{0},"new":0,"seen":{0},"outside":0,"refused":0,"bad":{1},)"
                    R"("lines":{2},"samples":[{3}]}})",
                    line - bad, bad, line, samples));
}

std::string events(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += fmt::format("{{\"number\":\"+336{:08}\",\"topic\":\"paris\"}}\n", i);
    }
    return text;
}

std::string whole_body(const FakeService& service) {
    std::string body;
    for (const FakeRequest& request : service.requests()) {
        body += request.body;
    }
    return body;
}

}  // namespace

TEST_CASE("smsrack trigger feed: all lines arrive, in requests that end where a line does") {
    const FakeService service(fed);
    const std::string input = events(400'000) + R"({"number":"1","topic":"no end"})";
    const ProgramRun run = run_smsrack("trigger feed welcome", service.path(), input);
    CHECK(run.code == 0);
    CHECK(run.out.starts_with("400001 lines in "));
    CHECK(run.out.contains(" 0 new, 400001 seen, 0 outside the share, 0 refused, 0 bad\n"));
    CHECK(whole_body(service) == input);
    const auto requests = service.requests();
    CHECK(requests.size() > 1);  // 18 MB
    for (std::size_t i = 0; i < requests.size(); ++i) {
        CHECK(requests[i].line == "POST /v1/triggers/welcome/events");
        CHECK((requests[i].body.ends_with('\n') || i + 1 == requests.size()));
    }
}

TEST_CASE(
    "smsrack trigger feed: bad lines are reported by their number in the file, and exit with 65") {
    const FakeService service(fed);
    const std::string input = events(2) + "bad\n" + events(1) + "bad again\n";
    const ProgramRun run = run_smsrack("trigger feed welcome", service.path(), input);
    CHECK(run.code == 65);
    CHECK(run.err ==
          "standard input:3: number: is missing\nstandard input:5: number: is missing\n"
          "smsrack: standard input: 2 bad lines\n");
    const ProgramRun later =
        run_smsrack("--json trigger feed welcome --from-line 4", service.path(), input);
    CHECK(later.code == 65);
    CHECK(later.out.contains(R"("errors":[{"line":5,"why":"number: is missing"}])"));
    CHECK(later.out.contains(R"("lines":2)"));
    CHECK(later.err.contains("standard input: 1 bad line"));
    CHECK(service.requests().back().body == events(1) + "bad again\n");
}

TEST_CASE("smsrack trigger feed: where it breaks off, it says with which line to continue") {
    std::atomic<int> asked = 0;
    const FakeService service([&asked](const FakeRequest& request) {
        return ++asked == 1
                   ? fed(request)
                   : answer_json("507 Insufficient Storage",
                                 R"({"detail":"the disk is full","code":"storage","lines":0})");
    });
    const std::string input = events(200'000);
    const ProgramRun run = run_smsrack("trigger feed welcome", service.path(), input);
    CHECK(run.code == 1);
    const auto first = service.requests()[0].body;
    const auto lines = std::ranges::count(first, '\n');
    CHECK(run.err.contains("the disk is full (storage)"));
    CHECK(run.err.contains(fmt::format(
        "all lines up to {0} are decided; continue with --from-line {1}", lines, lines + 1)));
}

TEST_CASE("smsrack trigger feed: no input, a missing file, and more lines than there are") {
    const FakeService service(fed);
    CHECK(run_smsrack("trigger feed welcome", service.path()).code == 0);
    CHECK(service.requests().empty());
    CHECK(run_smsrack("trigger feed welcome /nowhere.jsonl", service.path()).code == 65);
    const auto beyond =
        run_smsrack("trigger feed welcome --from-line 9", service.path(), events(3));
    CHECK(beyond.code == 65);
    CHECK(beyond.err == "smsrack: -: it has no line 9\n");
}

TEST_CASE("smsrack trigger feed: verdicts that few triggers give are shown where there are any") {
    const FakeService service([](const FakeRequest& /*request*/) {
        return answer_json("200 OK",
                           R"({"accepted":9,"new":2,"seen":3,"outside":0,"refused":0,"bad":0,)"
                           R"("too_old":4,"no_topic":1,"lines":9,"samples":[]})");
    });
    const ProgramRun run = run_smsrack("trigger feed welcome", service.path(), events(9));
    CHECK(run.code == 0);
    CHECK(run.out.contains(
        " 2 new, 3 seen, 0 outside the share, 0 refused, 4 too old, 1 without a topic, 0 bad\n"));
    const ProgramRun json = run_smsrack("--json trigger feed welcome", service.path(), events(9));
    CHECK(json.out.contains(R"("too_old":4)"));
}

TEST_CASE("smsrack triggers and trigger show: tables") {
    const std::string trigger =
        R"("name":"welcome","verify":true,"events":{"accepted":9,"new":2,"seen":7,"outside":0,)"
        R"("refused":0,"bad":1},"by_cache":5,"by_index":2,"false_hits":0,"waiting":3,)"
        R"("waiting_for":"overload","ahead":4,"batch":"welcome-1","keys":12,"fp_estimate":1e-5,)"
        R"("topic_count":1)";
    const std::string rebuild =
        R"("rebuild":{"running":true,"first":false,"rows":5,"rows_expected":12})";
    const FakeService service([&](const FakeRequest& request) {
        return answer_json("200 OK",
                           request.line == "GET /v1/triggers"
                               ? "{\"triggers\":[{" + trigger + "}]," + rebuild +
                                     R"(,"filter_octets":2000000,"cache_octets":0,"cache_pairs":0})"
                               : "{" + trigger + "," + rebuild +
                                     R"(,"topics":[{"topic":"paris","keys":12,"bits":512,)"
                                     R"("fill":0.5,"fp_estimate":1e-5,"generations":1,"new":2,)"
                                     R"("seen":7}],"samples":[]})");
    });
    const ProgramRun all = run_smsrack("triggers", service.path());
    CHECK(all.code == 0);
    CHECK(all.out.contains("3 for overload"));
    CHECK(all.out.contains("running: 5 rows of about 12"));
    CHECK(all.out.contains("2 MB"));
    const ProgramRun one = run_smsrack("trigger show welcome", service.path());
    CHECK(one.code == 0);
    CHECK(one.out.contains("2 new, 7 seen"));
    CHECK(one.out.contains("50 %"));
}

TEST_CASE("smsrack trigger trace: the way of an event in words") {
    const FakeService service([](const FakeRequest& request) {
        CHECK(request.line == "GET /v1/triggers/welcome/trace?number=%2B33612345678&topic=paris");
        return answer_json(
            "200 OK",
            R"({"number":"+33612345678","in_share":true,"pairs":[{"topic":"paris","verdict":"seen",)"
            R"("why":"it has its message","in_filter":true,"in_cache":false,"state":"sent",)"
            R"("claimed_at":"2026-11-21T12:00:00.000Z","message_id":"7","message":{"id":"7",)"
            R"("state":"delivered","history":[{"at":"2026-11-21T12:00:09.000Z","state":"sent",)"
            R"("modem":"m0"}]}}]})");
    });
    const ProgramRun run =
        run_smsrack("trigger trace welcome +33612345678 --topic paris", service.path());
    CHECK(run.code == 0);
    CHECK(run.out ==
          "paris: an event now is seen; it has its message\n"
          "  filter knows it, cache does not have it, index has it since 2026-11-21 12:00:00 as "
          "sent\n"
          "  message 7: delivered\n"
          "    2026-11-21 12:00:09  sent  by m0\n");
}

TEST_CASE("smsrack trigger show and trace: tags, where the share differs by tag") {
    const FakeService service([](const FakeRequest& request) {
        return answer_json(
            "200 OK",
            request.line.contains("/trace")
                ? R"({"number":"+33612345678","in_share":false,)"
                  R"("in_share_with_tags":["beta","staff"],"pairs":[]})"
                : R"({"name":"welcome","verify":true,"events":{"new":2,"seen":0,"outside":7,)"
                  R"("refused":0,"bad":0},"tags":[{"tag":"beta","share":1,"events":{"new":2,)"
                  R"("seen":0,"outside":0,"bad":0}},{"tag":null,"share":0.05,"events":{"new":0,)"
                  R"("seen":0,"outside":7,"bad":0}}],"topics":[],"samples":[]})");
    });
    const ProgramRun show = run_smsrack("trigger show welcome", service.path());
    CHECK(show.code == 0);
    CHECK(show.out.contains("TAG"));
    CHECK(show.out.contains("beta         100 %"));
    CHECK(show.out.contains("(any other)    5 %"));
    const ProgramRun trace = run_smsrack("trigger trace welcome +33612345678", service.path());
    CHECK(
        trace.out.contains("the number is outside of the trigger's share, but for events with "
                           "one of these tags: beta, staff\n"));
}

TEST_CASE("smsrack trigger trace: who is outside the share is not called new as well") {
    const FakeService service([](const FakeRequest&) {
        return answer_json("200 OK", R"({"number":"+33612345678","in_share":false,"pairs":[]})");
    });
    const ProgramRun run = run_smsrack("trigger trace welcome +33612345678", service.path());
    CHECK(run.out ==
          "the number is outside of the trigger's share: it gets nothing\n"
          "nothing is known of this number\n");
}

TEST_CASE("smsrack trigger rebuild: followed to its end") {
    std::atomic<int> asked = 0;
    const FakeService service([&asked](const FakeRequest& request) {
        if (request.line == "POST /v1/triggers/welcome/rebuild") {
            return answer_json("202 Accepted", R"({"running":true,"rows":0,"rows_expected":9})");
        }
        return answer_json(
            "200 OK", ++asked < 2
                          ? R"({"rebuild":{"running":true,"rows":5}})"
                          : R"({"rebuild":{"running":false,"rows":9,"took_ms":1500,"forgotten":2,)"
                            R"("ended_at":"2026-11-21T12:00:00.000Z"}})");
    });
    const ProgramRun run = run_smsrack("trigger rebuild welcome", service.path());
    CHECK(run.code == 0);
    CHECK(run.out == "rebuilt 2026-11-21 12:00:00: 9 rows in 1.5 s, 2 forgotten\n");
    CHECK(asked == 2);
}
