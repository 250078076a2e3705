#include "src/line/line_orders.hpp"

#include "src/base/check.hpp"

#include <utility>

namespace smsrack::line {
namespace {

Error busy(std::string_view why) {
    return {.code = Errc::busy,
            .context = std::string(why),
            .retry_after = std::chrono::milliseconds(LineOrders::wait_max)};
}

}  // namespace

void LineOrders::add(GivenOrder given, SteadyTime now) {
    if (waiting_.size() == waiting_max) {
        given.done(std::unexpected(busy("too many commands wait for this modem")));
        return;
    }
    waiting_.push_back({std::move(given), now + wait_max});
}

ports::HandOrder LineOrders::take() {
    SMSRACK_CHECK(!waiting_.empty() && !done_);
    GivenOrder given = std::move(waiting_.front().given);
    waiting_.pop_front();
    done_ = std::move(given.done);
    return std::move(given.order);
}

void LineOrders::end(const Result<ports::HandAnswer>& answer) {
    SMSRACK_CHECK(done_.has_value());
    std::exchange(done_, std::nullopt).value()(answer);
}

void LineOrders::give_up_late(SteadyTime now) {
    while (!waiting_.empty() && waiting_.front().until <= now) {
        waiting_.front().given.done(std::unexpected(busy(
            "the modem has had a message in hand for 30 s, and a command waits until it ends")));
        waiting_.pop_front();
    }
}

}  // namespace smsrack::line
