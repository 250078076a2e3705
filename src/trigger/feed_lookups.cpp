// What the store is asked of pairs and topics before a claim.
#include "src/trigger/feed.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::trigger {
namespace {

// Reads under way: one runs, one is next; what comes meanwhile is the next batch.
constexpr std::size_t finds_max = 2;
constexpr std::size_t find_pairs = 4'096;  // of one read: some 20 ms of a reader

}  // namespace

void Feed::look_up() {
    while (finding_ < finds_max && !to_find_.empty()) {
        const auto count = std::min(find_pairs, to_find_.size());
        std::vector<Wanted*> wanted(to_find_.end() - static_cast<std::ptrdiff_t>(count),
                                    to_find_.end());
        to_find_.resize(to_find_.size() - count);
        std::ranges::sort(wanted, {}, [this](const Wanted* one) { return pair_of(*one); });
        std::vector<ports::Pair> pairs;
        pairs.reserve(wanted.size());
        for (const Wanted* one : wanted) {
            pairs.push_back(pair_of(*one));
        }
        ++finding_;
        looked_up_ += pairs.size();
        using Rows = std::vector<std::optional<ports::PairRow>>;
        parts_.store.ask(
            [pairs = std::move(pairs)](ports::TriggerReader& reader) { return reader.find(pairs); },
            answers_.back<Rows>([this, wanted = std::move(wanted)](Result<Rows> rows) {
                --finding_;
                looked_up(wanted, std::move(rows));
                pump();
            }));
    }
}

void Feed::looked_up(std::span<Wanted* const> wanted,
                     Result<std::vector<std::optional<ports::PairRow>>> rows) {
    const ports::PairRules now = rules();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!rows) {
            drop(*wanted[i], rows.error());
        } else if (const auto& row = (*rows)[i]; row && !now.is_free(*row)) {
            learn(*row);
            resolve(*wanted[i], Verdict::seen);
        } else {
            false_hits_ += !row && wanted[i]->held == dedup::Held::maybe ? 1 : 0;
            to_claim_.push_back(wanted[i]);
        }
    }
}

void Feed::learn(const ports::PairRow& row) {
    if (!is_confirmed(row.state)) {
        return;
    }
    if (settings_.verify) {
        cache_->insert(key_of(row.pair));
    } else {
        filters_->insert(key_of(row.pair));
    }
}

void Feed::name_topics() {
    if (naming_ || unnamed_.empty()) {
        return;
    }
    std::vector<std::uint32_t> topics;
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < book_.pair_topics().size(); ++i) {
        const TopicBook::PairTopic& topic = book_.pair_topic(i);
        if (topic.view.id == ports::TopicId{} && !topic.no_number) {
            topics.push_back(i);
            names.push_back(topic.stored_name);
        }
    }
    naming_ = true;
    using Ids = std::vector<ports::TopicId>;
    parts_.store.post(ports::NumberTopics{.trigger = settings_.name, .names = std::move(names)},
                      answers_.back<Ids>([this, topics = std::move(topics)](Result<Ids> ids) {
                          naming_ = false;
                          named(topics, std::move(ids));
                          pump();
                      }));
}

/// Of one that was never heard of, once all that were are known, there is nothing to load.
void Feed::named(std::span<const std::uint32_t> topics, Result<std::vector<ports::TopicId>> ids) {
    if (ids) {
        for (std::size_t i = 0; i < topics.size(); ++i) {
            if ((*ids)[i] == ports::TopicId{}) {
                book_.pair_topic(topics[i]).no_number = true;
                continue;
            }
            book_.number(topics[i], (*ids)[i]);
            book_.pair_topic(topics[i]).loaded = topics_known_;
        }
    }
    for (Wanted* const wanted : std::exchange(unnamed_, {})) {
        if (ids && book_.pair_topic(wanted->place.pair_topic).no_number) {
            resolve(*wanted, Verdict::bad, no_number);
        } else if (ids) {
            route(*wanted);
        } else {
            drop(*wanted, ids.error());
        }
    }
}

void Feed::know(std::span<const ports::TopicName> topics) {
    for (const ports::TopicName& topic : topics) {
        if (topic.trigger != settings_.name) {
            continue;
        }
        if (const auto index = book_.know(topic.name)) {
            book_.number(*index, topic.id);
        }
    }
    topics_known_ = true;
}

void Feed::loaded(ports::TopicId topic) {
    if (const auto index = book_.with_id(topic)) {
        book_.pair_topic(*index).loaded = true;
    }
}

}  // namespace smsrack::trigger
