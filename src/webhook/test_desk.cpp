#include "src/webhook/test_desk.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::webhook {
namespace {

TestReport not_taken() {
    return {.error = "smsrack-gate, which sends webhooks, did not ask for the test",
            .advice =
                "see whether it runs, and has read this configuration: systemctl status "
                "smsrack-gate"};
}

TestReport not_answered() {
    return {.error = "smsrack-gate took the test and did not say what came of it in time",
            .advice = "see its log: journalctl -u smsrack-gate"};
}

}  // namespace

Result<> TestDesk::begin(Test test, SteadyTime deadline, Done done) {
    if (entries_.size() >= tests_max) {
        return std::unexpected(Error{.code = Errc::overloaded,
                                     .context = "tests of this webhook are under way",
                                     .retry_after = std::chrono::seconds(10)});
    }
    entries_.push_back({.test = std::move(test), .deadline = deadline, .done = std::move(done)});
    return {};
}

std::vector<Test> TestDesk::give() {
    std::vector<Test> given;
    for (Entry& entry : entries_) {
        if (!std::exchange(entry.given, true)) {
            given.push_back(entry.test);
        }
    }
    return given;
}

void TestDesk::give_again() {
    for (Entry& entry : entries_) {
        entry.given = false;
    }
}

void TestDesk::end(std::string_view id, TestReport report) {
    const auto found =
        std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.test.id == id; });
    if (found != entries_.end()) {
        Entry entry = std::move(*found);
        entries_.erase(found);
        entry.done(std::move(report));
    }
}

void TestDesk::step(SteadyTime now) {
    std::vector<Entry> over;
    for (auto it = entries_.begin(); it != entries_.end();) {
        if (it->deadline <= now) {
            over.push_back(std::move(*it));
            it = entries_.erase(it);
        } else {
            ++it;
        }
    }
    for (Entry& entry : over) {
        entry.done(entry.given ? not_answered() : not_taken());
    }
}

SteadyTime TestDesk::deadline() const {
    SteadyTime deadline = never;
    for (const Entry& entry : entries_) {
        deadline = std::min(deadline, entry.deadline);
    }
    return deadline;
}

}  // namespace smsrack::webhook
