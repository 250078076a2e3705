/// All webhooks of a gate: begins and ends them as the configuration says.
///
/// Reading the configuration again ends only webhooks that are gone or changed; the others notice nothing. What an ended one had
/// in flight is given to its successor, so its receiver may get it twice; what it had not reported yet its successor reports.
/// Bound:   connections_max requests and held_max deliveries of all. Each webhook has its part of them for itself, so that
///          a bad receiver takes nothing from another.
/// Threads: loop thread.
/// Errors:  none here. A webhook that can't be sent for, for want of libcurl or of its keys, tells the service why.
#pragma once

#include "firmware-host/gate/webhook/name_lookup.hpp"
#include "firmware-host/gate/webhook/webhook_run.hpp"
#include "src/base/result.hpp"
#include "src/config/webhook_settings.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::gate {

using WebhookList = std::vector<config::WebhookSettings>;

/// The part of one webhook when there are `webhooks` of them.
[[nodiscard]] WebhookShare share_of(const config::WebhookSettings& webhook, std::size_t webhooks);

class Webhooks {
public:
    static constexpr std::size_t connections_max = 256;
    static constexpr std::size_t held_max = 1'024;
    static constexpr std::chrono::seconds read_again_pause{5};

    struct Parts {
        Upstream& upstream;
        net::Loop& loop;
        const Clock& clock;
        GateMetrics& metrics;
        Log& log;
    };
    /// Of the configuration as it is now; nullopt: it can't be read, which was logged.
    using Read = std::function<std::optional<WebhookList>()>;
    /// In the place of CurlLibrary::load().
    using LoadCurl = std::function<Result<const CurlLibrary*>()>;

    /// `gate`: this process, for the service; another one each time. What is in `parts` outlives the object.
    Webhooks(const Parts& parts, std::string gate, Read read,
             LoadCurl load_curl = CurlLibrary::load);
    ~Webhooks();
    Webhooks(const Webhooks&) = delete;
    Webhooks& operator=(const Webhooks&) = delete;

    void start(const WebhookList& webhooks);
    /// Now, and once more after read_again_pause: a file may have been written at this very moment.
    void reload();
    /// Takes nothing more; calls `then` when all that is in flight was reported.
    void drain(std::function<void()> then);

    [[nodiscard]] std::size_t size() const { return runs_.size(); }

private:
    struct Running {
        std::string settings;                ///< hash of those that decide what is sent
        Result<posting::ReceiverKeys> keys;  ///< as they were read
        std::string made_of;              ///< all that it is made of; another text: it was changed
        std::unique_ptr<WebhookRun> run;  ///< null: it is new
    };

    void read_again();
    void load_curl();
    [[nodiscard]] Result<posting::ReceiverKeys> keys_of(
        const config::WebhookSettings& webhook) const;
    void begin(const config::WebhookSettings& webhook, std::size_t count);
    void config_differs();

    const Parts parts_;
    const std::string gate_;
    const Read read_;
    const LoadCurl load_curl_;
    NameLookup names_;
    Result<const CurlLibrary*> curl_ = nullptr;  // null: not needed yet
    std::map<std::string, Running> runs_;
    SteadyTime read_at_ = {};
    bool said_differs_ = false;  // of what was read last
    net::LoopWatchPtr reading_again_;
    bool drains_ = false;  // from the call to the end: nothing begins any more
    std::size_t draining_ = 0;
    std::function<void()> drained_;
};

}  // namespace smsrack::gate
