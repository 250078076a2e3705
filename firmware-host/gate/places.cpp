#include "firmware-host/gate/places.hpp"

namespace smsrack::gate {
namespace {

template <typename Counts, typename Key>
std::size_t count_of(const Counts& counts, const Key& key) {
    const auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
}

template <typename Counts, typename Key>
void give_back(Counts& counts, const Key& key) {
    const auto found = counts.find(key);
    if (--found->second == 0) {
        counts.erase(found);
    }
}

}  // namespace

Places::Place Places::take(const std::string& token, std::uint32_t network, bool is_proxy) {
    State& state = *state_;
    const std::size_t here = is_proxy ? state.bounds.of_proxy : state.bounds.of_network;
    if (state.all >= state.bounds.all || count_of(state.tokens, token) >= state.bounds.of_token ||
        count_of(state.networks, network) >= here) {
        return nullptr;
    }
    ++state.all;
    ++state.tokens[token];
    ++state.networks[network];
    return {&state, [kept = state_, token, network](const State*) {
                --kept->all;
                give_back(kept->tokens, token);
                give_back(kept->networks, network);
            }};
}

}  // namespace smsrack::gate
