#include "src/wire/remote_streams.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::wire {

void RemoteStreams::add(std::string token, const ResponderPtr& responder) {
    if (streams_.size() >= sweep_at_) {
        constexpr std::size_t least = 64;
        std::erase_if(streams_, [](const Stream& stream) { return stream.responder.expired(); });
        sweep_at_ = std::max(least, 2 * streams_.size());
    }
    streams_.push_back({std::move(token), responder});
}

void RemoteStreams::cut_unless(const std::function<bool(const std::string& token)>& counts) {
    const auto refused =
        std::ranges::stable_partition(streams_, [&](const Stream& it) { return counts(it.token); });
    const std::vector<Stream> ends(std::make_move_iterator(refused.begin()),
                                   std::make_move_iterator(refused.end()));
    streams_.erase(refused.begin(), refused.end());
    for (const Stream& stream : ends) {
        if (const auto responder = stream.responder.lock()) {
            responder->revoke();
        }
    }
}

}  // namespace smsrack::wire
