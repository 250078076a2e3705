#include "firmware-host/system/ticks.hpp"

namespace smsrack::host {
namespace {

using namespace std::chrono_literals;

constexpr auto retention_period = 60s;
constexpr auto release_period = 60s;
constexpr std::size_t rows_a_step = 256;  // about a millisecond of the writing thread

}  // namespace

Ticks::Ticks(TickSettings settings, net::Loop& loop, ports::Store& store, const Clock& clock)
    : settings_(settings), loop_(loop), store_(store), clock_(clock) {
    watches_.push_back(loop_.every(retention_period, [this] { remove_old(); }));
    watches_.push_back(loop_.every(release_period, [this] { release_incomplete(); }));
    if (settings_.messages_anonymise || settings_.inbox_anonymise) {
        watches_.push_back(loop_.every(retention_period, [this] { anonymise(); }));
    }
}

void Ticks::remove_old() {
    const WallTime now = clock_.wall();
    store_.post(ports::RemoveOld{.messages_before = now - settings_.messages_keep,
                                 .inbox_before = now - settings_.inbox_keep,
                                 .limit = rows_a_step},
                [this](Result<std::size_t> removed) {
                    if (removed && *removed == rows_a_step) {
                        loop_.post([this] { remove_old(); });
                    }
                });
}

void Ticks::anonymise() {
    const auto before = [now = clock_.wall()](std::optional<std::chrono::days> age) {
        return age ? std::optional<WallTime>(now - *age) : std::nullopt;
    };
    store_.post(ports::Anonymise{.messages_before = before(settings_.messages_anonymise),
                                 .inbox_before = before(settings_.inbox_anonymise),
                                 .limit = rows_a_step},
                [this](Result<std::size_t> looked_at) {
                    if (looked_at && *looked_at == rows_a_step) {
                        loop_.post([this] { anonymise(); });
                    }
                });
}

void Ticks::release_incomplete() {
    store_.post(ports::ReleaseIncomplete{.before = clock_.wall() - settings_.incomplete_after,
                                         .limit = rows_a_step});
}

}  // namespace smsrack::host
