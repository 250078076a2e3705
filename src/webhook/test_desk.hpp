/// Tests of one webhook that people wait for: each is given to the gate once, and answered by it, or
/// by its deadline.
///
/// A test changes nothing else of the webhook.
/// Bound:   tests_max at a time.
/// Threads: the loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::webhook {

struct TestReport {
    std::string address = {};  ///< that was called; empty: none
    std::string tls = {};      ///< version and cipher; empty: no TLS
    int status = 0;            ///< of HTTP; 0: there was no answer
    std::chrono::milliseconds took{0};
    std::string error = {};  ///< in words; empty: there was an answer
    std::string advice = {};
};

struct Test {
    std::string id = {};
    std::string body = {};
};

class TestDesk {
public:
    static constexpr std::size_t tests_max = 8;
    using Done = std::move_only_function<void(TestReport)>;

    /// Errors: overloaded: tests_max are under way.
    [[nodiscard]] Result<> begin(Test test, SteadyTime deadline, Done done);

    /// Those that the gate has not got yet.
    [[nodiscard]] std::vector<Test> give();
    /// Another gate: it gets them too.
    void give_again();
    void end(std::string_view id, TestReport report);

    /// Ends those whose time is over.
    void step(SteadyTime now);
    /// When the next one's time is over; never: there is none.
    [[nodiscard]] SteadyTime deadline() const;

private:
    struct Entry {
        Test test = {};
        SteadyTime deadline = {};
        Done done = {};
        bool given = false;
    };
    std::vector<Entry> entries_;
};

}  // namespace smsrack::webhook
