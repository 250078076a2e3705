/// Brings to the window what may be sent: rows that are due, and events of the log that have no row
/// yet, which get one first.
///
/// How far the log was read is written with the rows, and seldom where nothing is wanted: a kill
/// makes a start read some hundred events again, and loses none.
/// Bound:   one question at a time; window_rows deliveries and window_bytes of bodies in each.
/// Threads: the loop thread.
/// Errors:  of the store: it rests for a second and asks again.
#pragma once

#include "src/base/clock.hpp"
#include "src/config/webhook_settings.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/sms/event_filter.hpp"
#include "src/webhook/wanted.hpp"
#include "src/webhook/window.hpp"
#include "src/webhook/world.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace smsrack::webhook {

class Supply final : public std::enable_shared_from_this<Supply> {
public:
    static constexpr std::size_t window_rows = 64;
    static constexpr std::size_t window_bytes = 128UL * 1024;

    /// `window` and what `changed` calls live as long as the object: something came into the window,
    /// or may be asked for now.
    Supply(const config::WebhookSettings& settings, const WebhookWorld& world, Window& window,
           std::function<void()> changed);

    /// Each event up to `cursor` has a row, or is not wanted. Before that nothing is asked.
    void begin(ports::WebhookId id, EventSeq cursor);

    /// What the webhook may send now.
    struct Need {
        bool off = false;
        bool fails = false;  ///< one attempt at a time
        bool fresh = true;   ///< also what was never tried
    };
    /// Asks for more, where the window has too little.
    void load(const Need& need);

    /// There may be new events. True: load() may have something to do.
    [[nodiscard]] bool events_came();
    /// Rows may have become due.
    void rows_changed() { maybe_due_ = true; }
    void due_at(WallTime at) { next_due_ = std::min(next_due_.value_or(at), at); }
    /// The log may have more.
    void look_again() { behind_ = true; }
    /// What is ready may not be the next any more: it is read again.
    void order_changed();
    /// The store has other times and tries than what was read.
    void outdate();

    /// The service stops: writes how far the log was read.
    void drain();

    /// Each event up to here has a row, or is not wanted.
    [[nodiscard]] EventSeq passed() const { return looked_at_; }
    /// Does what is due.
    void step(SteadyTime now);
    /// When step() or load() has something to do; in the past: now. `off`: as in Need.
    [[nodiscard]] SteadyTime deadline(bool off) const;

private:
    template <typename T, typename Then>
    [[nodiscard]] ports::Done<T> back(Then then) {
        return back_to<T>(world_.loop, weak_from_this(), std::move(then));
    }
    [[nodiscard]] bool has_enough(const Need& need) const;
    void read_due(bool retries_first);
    void fetch(std::size_t rows);
    void stage(Wanted wanted);
    void rest();

    const std::size_t parallel_;
    const bool text_;
    const WebhookWorld world_;
    const EventFilter filter_;
    Window& window_;
    const std::function<void()> changed_;
    std::optional<ports::WebhookId> id_ = {};
    EventSeq looked_at_ = {};
    EventSeq cursor_ = {};   // of the store
    bool behind_ = true;     // there may be events after looked_at_
    bool news_ = false;      // more came while the log was read
    bool maybe_due_ = true;  // the store may have rows that are due and not in the window
    std::optional<WallTime> next_due_ = {};
    bool busy_ = false;           // log or store is asked for more
    std::uint64_t order_ = 0;     // what was read before a change of it is not used
    SteadyTime rest_until_ = {};  // after an error of the store
    SteadyTime due_read_at_ = {};
};

/// As the configuration has it.
[[nodiscard]] EventFilter filter_of(const config::WebhookSettings& settings);

}  // namespace smsrack::webhook
