/// Reports to the service what became of deliveries and tests of one webhook, until it has stored it.
///
/// One call at a time; what comes meanwhile goes with the next one.
/// Time:    reports again after a while where the service is away, and after refused_min to refused_max where it can't store results.
/// Bound:   the caller's deliveries and tests.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/service_call.hpp"
#include "firmware-host/gate/webhook/take_words.hpp"
#include "firmware-host/net/loop.hpp"
#include "src/base/log.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::gate {

class ResultReporter {
public:
    static constexpr std::chrono::milliseconds away_pause{250};
    static constexpr std::chrono::milliseconds refused_min{1'000};
    static constexpr std::chrono::milliseconds refused_max{5'000};

    struct Parts {
        Upstream& upstream;
        net::Loop& loop;
        Log& log;
        std::string gate = {};     ///< this process, for the service
        std::string webhook = {};  ///< its name
    };
    /// `stored`: the service has these, or wants none of them. May end this object.
    using Stored = std::function<void(const std::vector<DeliveryResult>&)>;

    ResultReporter(Parts parts, Stored stored)
        : parts_(std::move(parts)), stored_(std::move(stored)) {}
    ResultReporter(const ResultReporter&) = delete;
    ResultReporter& operator=(const ResultReporter&) = delete;

    void add(DeliveryResult result) { results_.push_back(std::move(result)); }
    void add(TestResult result) { tests_.push_back(std::move(result)); }
    /// Begins, if there is something and no call is under way.
    void report();

    /// Nothing is left to be reported.
    [[nodiscard]] bool is_done() const;
    /// The service knows of all deliveries.
    [[nodiscard]] bool knows_all() const { return results_.empty() && reporting_.empty(); }
    /// There are some that go with the next call.
    [[nodiscard]] bool has_more() const { return !results_.empty(); }
    /// This one is on its way.
    [[nodiscard]] bool is_on_its_way(std::string_view number) const;
    /// Gives away what the service has not stored.
    [[nodiscard]] std::vector<DeliveryResult> give_up();

private:
    void reported(const ServiceCall::Reply& reply);
    void report_later(int status);

    const Parts parts_;
    const Stored stored_;
    std::vector<DeliveryResult> results_;
    std::vector<TestResult> tests_;
    std::vector<DeliveryResult> reporting_;  // under way
    std::vector<TestResult> tests_reporting_;
    std::shared_ptr<ServiceCall> call_;
    net::LoopWatchPtr again_;
    std::chrono::milliseconds refused_again_ = refused_min;
    bool said_not_stored_ = false;
};

}  // namespace smsrack::gate
