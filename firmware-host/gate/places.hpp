/// Distributes what clients may have under way at once: so much in all, of one token, and of one
/// address, so that none can take all of it.
///
/// Unit:    calls, or event streams.
/// Threads: loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace smsrack::gate {

struct PlaceBounds {
    std::size_t all = 0;
    std::size_t of_token = 0;
    std::size_t of_network = 0;
    std::size_t of_proxy = 0;  ///< which has many clients, and does not say for whom it calls
};

class Places {
public:
    explicit Places(const PlaceBounds& bounds) : state_(std::make_shared<State>(bounds)) {}

    /// Given back when the last copy goes, which may be after the Places.
    using Place = std::shared_ptr<const void>;

    /// Null: there is none left. `is_proxy`: the network is a proxy's.
    [[nodiscard]] Place take(const std::string& token, std::uint32_t network,
                             bool is_proxy = false);

private:
    struct State {
        explicit State(const PlaceBounds& most) : bounds(most) {}
        const PlaceBounds bounds;
        std::size_t all = 0;
        std::map<std::string, std::size_t> tokens = {};      // those that have a place
        std::map<std::uint32_t, std::size_t> networks = {};  // likewise
    };

    const std::shared_ptr<State> state_;
};

}  // namespace smsrack::gate
