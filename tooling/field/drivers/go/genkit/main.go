// Genkit's Generate, with its defaults (five turns at most) and an output cap, over Chat Completions.
// `driver anthropic` speaks Anthropic Messages, `gemini` Gemini; `whole` behind each requests replies
// that do not stream.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"
	claude "github.com/firebase/genkit/go/plugins/anthropic"
	oai "github.com/firebase/genkit/go/plugins/compat_oai/openai"
	"github.com/firebase/genkit/go/plugins/googlegenai"
	"github.com/openai/openai-go"
	"google.golang.org/genai"
)

type file struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// way is how a protocol is spoken: the plugin, the model, and its settings.
type way struct {
	plugin api.Plugin
	model  string
	config any
}

var ways = map[string]func() way{
	"chat": func() way {
		cap := openai.ChatCompletionNewParams{MaxCompletionTokens: openai.Int(1024)}
		return way{&oai.OpenAI{}, "openai/gpt-4.1", &cap}
	},
	"anthropic": func() way {
		cap := anthropic.MessageNewParams{MaxTokens: 1024}
		return way{&claude.Anthropic{}, "anthropic/claude-sonnet-5-5", &cap}
	},
	"gemini": func() way {
		cap := genai.GenerateContentConfig{MaxOutputTokens: 1024}
		return way{&googlegenai.GoogleAI{}, "googleai/gemini-3-pro", &cap}
	},
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx := context.Background()
	name := append(os.Args, "chat")[1]
	asked := ways[name]()
	g := genkit.Init(ctx, genkit.WithPlugins(asked.plugin))
	write := genkit.DefineTool(g, "write", "Write a text file.",
		func(_ *ai.ToolContext, input file) (string, error) {
			return "Wrote " + input.Path + ".", os.WriteFile(input.Path, []byte(input.Content), 0o644)
		},
	)
	options := []ai.GenerateOption{
		ai.WithModelName(asked.model),
		ai.WithConfig(asked.config),
		ai.WithPrompt("Write the file."),
		ai.WithTools(write),
	}
	if slices.Contains(os.Args, "whole") {
		response, err := genkit.Generate(ctx, g, options...)
		check(err)
		fmt.Println(response.Text())
		return
	}
	for piece, err := range genkit.GenerateStream(ctx, g, options...) {
		check(err)
		if !piece.Done {
			fmt.Print(piece.Chunk.Text())
		}
	}
}
