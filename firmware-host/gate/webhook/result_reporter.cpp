#include "firmware-host/gate/webhook/result_reporter.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace smsrack::gate {
namespace {

/// A call that stays wrong however often it is made.
constexpr bool is_lost(int status) {
    return status == 400 || status == 404 || status == 413;
}

}  // namespace

bool ResultReporter::is_done() const {
    return knows_all() && tests_.empty() && tests_reporting_.empty();
}

bool ResultReporter::is_on_its_way(std::string_view number) const {
    return call_ &&
           std::ranges::find(reporting_, number, &DeliveryResult::number) != reporting_.end();
}

std::vector<DeliveryResult> ResultReporter::give_up() {
    std::vector<DeliveryResult> all = std::exchange(reporting_, {});
    std::ranges::move(std::exchange(results_, {}), std::back_inserter(all));
    return all;
}

void ResultReporter::report() {
    if (call_ || again_) {
        return;
    }
    // What the last call did not bring comes first.
    std::ranges::move(std::exchange(results_, {}), std::back_inserter(reporting_));
    std::ranges::move(std::exchange(tests_, {}), std::back_inserter(tests_reporting_));
    if (reporting_.empty() && tests_reporting_.empty()) {
        return;
    }
    call_ =
        ServiceCall::post(parts_.upstream, fmt::format("/v1/webhooks/{}/results", parts_.webhook),
                          results_json(parts_.gate, reporting_, tests_reporting_),
                          [this](const ServiceCall::Reply& reply) { reported(reply); });
}

/// A full disk and a fault of the service pass: each result is reported until it is stored.
void ResultReporter::report_later(int status) {
    auto delay = away_pause;
    if (!is_away(status)) {
        delay = std::exchange(refused_again_, std::min(2 * refused_again_, refused_max));
        if (!std::exchange(said_not_stored_, true)) {
            parts_.log.warn("webhook_results_refused",
                            {{"webhook", parts_.webhook},
                             {"status", status},
                             {"advice", "see the log of smsrackd; the gate reports them again"}});
        }
    }
    again_ = parts_.loop.after(delay, [this] {
        again_.reset();
        report();
    });
}

void ResultReporter::reported(const ServiceCall::Reply& reply) {
    const auto ended = std::exchange(call_, nullptr);  // it is running: dropped at the end
    const bool is_stored = reply.status / 100 == 2;
    if (!is_stored && !is_lost(reply.status)) {
        return report_later(reply.status);
    }
    if (!is_stored) {
        parts_.log.error(
            "webhook_results_lost",
            {{"webhook", parts_.webhook},
             {"status", reply.status},
             {"results", reporting_.size()},
             {"advice", "smsrackd does not take them; what it still has is sent again"}});
    }
    refused_again_ = refused_min;
    said_not_stored_ = false;
    tests_reporting_.clear();
    stored_(std::exchange(reporting_, {}));
}

}  // namespace smsrack::gate
