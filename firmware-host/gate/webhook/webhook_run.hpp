/// Runs one webhook: takes what the service wants sent, sends it, and reports what became of it.
///
/// The service decides what is sent and when; this object sends each delivery once. While the service is away (an upgrade, a kill)
/// it continues with what it holds, and keeps each result until the service has stored it. What it lets go of without a result is
/// given to it again.
/// Time:    asks again after again_min to again_max while the service is away, after refused_max where it refuses.
/// Bound:   WebhookShare::held_max deliveries are held, of 20 KiB each; WebhookShare::parallel requests at a time, and one per test.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/gate_metrics.hpp"
#include "firmware-host/gate/service_call.hpp"
#include "firmware-host/gate/webhook/receiver.hpp"
#include "firmware-host/gate/webhook/result_reporter.hpp"
#include "firmware-host/gate/webhook/take_words.hpp"
#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/result.hpp"
#include "src/config/webhook_settings.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::gate {

/// Of what the gate has for all webhooks.
struct WebhookShare {
    std::size_t parallel = 4;
    std::size_t held_max = 32;
};

class WebhookRun {
public:
    static constexpr std::chrono::milliseconds again_min{100};
    static constexpr std::chrono::milliseconds again_max{1'000};
    static constexpr std::chrono::milliseconds refused_max{5'000};

    struct Parts {
        Receiver::Parts receiver;
        Upstream& upstream;
        GateMetrics& metrics;
        Log& log;
        std::string gate;  ///< this process, for the service
        /// The service has read another configuration. May end this object, but later.
        std::function<void()> config_differs;
    };

    /// Begins. What is in `parts` outlives the object. `keys`: an error is what tests report, and nothing else is sent.
    /// `unreported`: of its predecessor.
    WebhookRun(const Parts& parts, const config::WebhookSettings& webhook, WebhookShare share,
               Result<posting::ReceiverKeys> keys, std::vector<DeliveryResult> unreported = {});
    WebhookRun(const WebhookRun&) = delete;
    WebhookRun& operator=(const WebhookRun&) = delete;

    /// Takes nothing more and reports what is in flight; then calls `then`, which may end this object.
    void drain(std::function<void()> then);
    /// Gives away what the service has not stored yet; the object ends after that. What another receiver than that of
    /// `next` refused says nothing about `next`.
    [[nodiscard]] std::vector<DeliveryResult> unreported_for(const config::WebhookSettings& next);
    /// Requests in flight stay, also where there are more of them now.
    void set_share(WebhookShare share);

    [[nodiscard]] std::size_t held() const { return held_.size(); }

private:
    struct Held {
        posting::WebhookEvent event = {};
        std::int64_t attempt = 0;
        WallTime begun = {};
    };
    using Numbers = std::deque<std::string>;

    // -- taking
    void take();
    void taken(std::uint64_t call, const ServiceCall::Reply& reply);
    void accept(TakeAnswer answer);
    void accept_pause(std::chrono::milliseconds pause);
    void take_later(std::chrono::milliseconds delay);
    void refused(const ServiceCall::Reply& reply);
    [[nodiscard]] std::size_t room() const;

    // -- sending
    void send_next();
    void send(const std::string& number);
    void sent(const std::string& number, PostOutcome outcome);
    void send_test(posting::WebhookEvent test);
    void keep_waiting(std::size_t at_most);
    void note(const PostOutcome& outcome);

    // -- reporting
    void report();
    void stored(const std::vector<DeliveryResult>& results);

    const Parts parts_;
    const config::WebhookSettings webhook_;
    WebhookShare share_;
    const std::string config_;  ///< hash of the settings
    std::string unusable_;      ///< why nothing can be sent; empty: it can

    std::map<std::string, Held> held_;  // by number; <= held_max, as the service gives no more
    Numbers waiting_;                   // of held_, not sent yet
    std::size_t in_flight_ = 0;
    std::size_t tests_ = 0;     // in flight
    std::size_t parallel_ = 1;  // as the service allows
    SteadyTime pause_until_ = {};
    net::LoopWatchPtr pause_end_;
    bool was_reached_ = true;
    bool said_not_taken_ = false;

    std::map<std::uint64_t, std::shared_ptr<ServiceCall>>
        takes_;  // the newest, and those that it ends
    std::uint64_t newest_take_ = 0;
    std::size_t room_asked_ = 0;
    bool let_go_ = false;  // the newest take names what is not held any more
    std::chrono::milliseconds again_ = again_min;
    net::LoopWatchPtr take_again_;

    ResultReporter reporter_;
    bool draining_ = false;          // it takes nothing more
    std::function<void()> drained_;  // called once

    std::optional<Receiver> receiver_;  // nullopt: unusable_
};

}  // namespace smsrack::gate
