// Package kubernetes tests the files with which linkmilter runs in Kubernetes.
package kubernetes

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// manifests are the objects that kustomize makes of the files.
type manifests struct {
	deployment *appsv1.Deployment
	service    *corev1.Service
	config     *corev1.ConfigMap
	namespace  *corev1.Namespace
	budget     *policyv1.PodDisruptionBudget
	scaler     *autoscalingv2.HorizontalPodAutoscaler
	network    *networkingv1.NetworkPolicy
}

// decoder returns a function that decodes an object. It refuses fields that Kubernetes
// does not know, and fields that are there twice.
func decoder(t *testing.T) func(yaml []byte) (runtime.Object, error) {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, corev1.AddToScheme, policyv1.AddToScheme, autoscalingv2.AddToScheme, networkingv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	strict := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	return func(yaml []byte) (runtime.Object, error) {
		object, _, err := strict.Decode(yaml, nil, nil)
		return object, err
	}
}

// build returns what kustomize makes of this folder.
func build(t *testing.T) manifests {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), ".")
	if err != nil {
		t.Fatal(err)
	}
	decode := decoder(t)
	var m manifests
	for _, r := range built.Resources() {
		yaml, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		object, err := decode(yaml)
		if err != nil {
			t.Errorf("%s: %v\n%s", r.CurId(), err, yaml)
			continue
		}
		switch o := object.(type) {
		case *appsv1.Deployment:
			m.deployment = o
		case *corev1.Service:
			m.service = o
		case *corev1.ConfigMap:
			m.config = o
		case *corev1.Namespace:
			m.namespace = o
		case *policyv1.PodDisruptionBudget:
			m.budget = o
		case *autoscalingv2.HorizontalPodAutoscaler:
			m.scaler = o
		case *networkingv1.NetworkPolicy:
			m.network = o
		default:
			t.Errorf("%s: not expected", r.CurId())
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	if m.deployment == nil || m.service == nil || m.config == nil || m.namespace == nil || m.budget == nil || m.scaler == nil || m.network == nil {
		t.Fatalf("objects are missing: %+v", m)
	}
	return m
}

// TestUnknownFieldsFail: decoding finds a key that Kubernetes does not know, and a key that
// is there twice.
func TestUnknownFieldsFail(t *testing.T) {
	decode := decoder(t)
	content, err := os.ReadFile("poddisruptionbudget.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decode(content); err != nil {
		t.Error(err)
	}
	for _, wrong := range []string{"  maxUnavailables: 1\n", "  maxUnavailable: 1\n  maxUnavailable: 1\n"} {
		broken := strings.Replace(string(content), "  maxUnavailable: 1\n", wrong, 1)
		if _, err := decode([]byte(broken)); err == nil {
			t.Errorf("no error for %q", wrong)
		}
	}
}

// TestAllFilesAreUsed: kustomize reads each file of the folder.
func TestAllFilesAreUsed(t *testing.T) {
	files, err := filepath.Glob("*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile("kustomization.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file != "kustomization.yaml" && !strings.Contains(string(content), "- "+file+"\n") {
			t.Errorf("%s is not in kustomization.yaml", file)
		}
	}
}

// TestSelectors: all objects select the pods of the deployment.
func TestSelectors(t *testing.T) {
	m := build(t)
	pods := m.deployment.Spec.Template.Labels
	selectors := map[string]map[string]string{
		"deployment": m.deployment.Spec.Selector.MatchLabels, "service": m.service.Spec.Selector,
		"budget": m.budget.Spec.Selector.MatchLabels, "network": m.network.Spec.PodSelector.MatchLabels,
	}
	for i, c := range m.deployment.Spec.Template.Spec.TopologySpreadConstraints {
		selectors[fmt.Sprint("spread ", i)] = c.LabelSelector.MatchLabels
	}
	for name, selector := range selectors {
		if len(selector) == 0 {
			t.Errorf("%s selects everything", name)
		}
		for key, value := range selector {
			if pods[key] != value {
				t.Errorf("%s selects %s=%s, pods have %v", name, key, value, pods)
			}
		}
	}
	if target := m.scaler.Spec.ScaleTargetRef; target.Kind != "Deployment" || target.Name != m.deployment.Name {
		t.Errorf("the autoscaler scales %+v", target)
	}
	for _, o := range []metav1.Object{m.deployment, m.service, m.config, m.budget, m.scaler, m.network} {
		if o.GetNamespace() != m.namespace.Name {
			t.Errorf("%s: namespace %q", o.GetName(), o.GetNamespace())
		}
	}
}

// TestPorts: probes, service and network policy name ports of the container, and
// linkmilter listens there.
func TestPorts(t *testing.T) {
	m := build(t)
	container := m.deployment.Spec.Template.Spec.Containers[0]
	ports := map[string]int32{}
	for _, p := range container.Ports {
		ports[p.Name] = p.ContainerPort
	}
	document := m.config.Data["linkmilter.toml"]
	for _, want := range []string{fmt.Sprintf("inet:%d@0.0.0.0", ports["milter"]), fmt.Sprintf("0.0.0.0:%d", ports["admin"])} {
		if !strings.Contains(document, `"`+want+`"`) {
			t.Errorf("linkmilter does not listen on %s", want)
		}
	}
	for _, rule := range m.network.Spec.Ingress {
		for _, p := range rule.Ports {
			if ports[p.Port.String()] == 0 {
				t.Errorf("network policy: no port %s", p.Port)
			}
		}
	}
	for _, p := range m.service.Spec.Ports {
		if p.Port != ports[p.TargetPort.String()] {
			t.Errorf("service: port %d for %s", p.Port, p.TargetPort.String())
		}
	}
	for want, probe := range map[string]*corev1.Probe{"/readyz": container.ReadinessProbe, "/healthz": container.LivenessProbe} {
		for _, p := range []*corev1.Probe{probe, container.StartupProbe} {
			// linkmilter answers for the address of the pod, which is the default.
			if get := p.HTTPGet; get.Port.String() != "admin" || get.Host != "" || len(get.HTTPHeaders) > 0 {
				t.Errorf("probe %+v", get)
			}
		}
		if probe.HTTPGet.Path != want {
			t.Errorf("path %s, want %s", probe.HTTPGet.Path, want)
		}
	}
}

// TestConfiguration: the pods have the file of the ConfigMap, under the name with a hash.
func TestConfiguration(t *testing.T) {
	m := build(t)
	pod := m.deployment.Spec.Template.Spec
	if !regexp.MustCompile(`^linkmilter-[a-z0-9]{10}$`).MatchString(m.config.Name) || pod.Volumes[0].ConfigMap.Name != m.config.Name {
		t.Errorf("config map %q, volume of %q", m.config.Name, pod.Volumes[0].ConfigMap.Name)
	}
	path := filepath.Join(pod.Containers[0].VolumeMounts[0].MountPath, "linkmilter.toml")
	if args := pod.Containers[0].Args; !slices.Equal(args, []string{"serve", "--config", path}) {
		t.Errorf("arguments %q, configuration in %s", args, path)
	}
}

// TestPagePassword: the page, which other pods may reach, needs a password. Only the service can
// read the hash.
func TestPagePassword(t *testing.T) {
	m := build(t)
	pod := m.deployment.Spec.Template.Spec
	folder := pod.Containers[0].VolumeMounts[1].MountPath
	if want := fmt.Sprintf("password_file = %q\n", folder+"/hash"); !strings.Contains(m.config.Data["linkmilter.toml"], want) {
		t.Errorf("the configuration lacks %s", want)
	}
	secret := pod.Volumes[1].Secret
	if secret == nil || *secret.DefaultMode != 0o440 || *pod.SecurityContext.FSGroup != *pod.SecurityContext.RunAsGroup {
		t.Errorf("secret %+v", secret)
	}
}

// TestStop: a pod has time to drain and to finish open messages, and its readiness is known
// before the drain ends.
func TestStop(t *testing.T) {
	m := build(t)
	pod := m.deployment.Spec.Template.Spec
	found := regexp.MustCompile(`(?m)^drain = "(\w+)"$`).FindStringSubmatch(m.config.Data["linkmilter.toml"])
	if found == nil {
		t.Fatal("linkmilter does not drain")
	}
	drain, err := time.ParseDuration(found[1])
	if err != nil {
		t.Fatal(err)
	}
	const finish = 30 * time.Second
	if grace := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; grace <= drain+finish {
		t.Errorf("%v to end, want more than %v", grace, drain+finish)
	}
	ready := pod.Containers[0].ReadinessProbe
	if noticed := time.Duration(ready.FailureThreshold*(ready.PeriodSeconds+ready.TimeoutSeconds)) * time.Second; drain <= noticed {
		t.Errorf("drained for %v, noticed after %v", drain, noticed)
	}
	if rolling := m.deployment.Spec.Strategy.RollingUpdate; rolling.MaxUnavailable.IntValue() != 0 || rolling.MaxSurge.IntValue() < 1 {
		t.Errorf("strategy %+v", rolling)
	}
}

// TestRights: a pod has no more rights than the image and the systemd unit give, and meets
// the standard of its namespace.
func TestRights(t *testing.T) {
	m := build(t)
	pod := m.deployment.Spec.Template.Spec
	of, container := pod.SecurityContext, pod.Containers[0].SecurityContext
	image, err := os.ReadFile("../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	if user := fmt.Sprintf("\nUSER %d:%d\n", *of.RunAsUser, *of.RunAsGroup); !strings.Contains(string(image), user) {
		t.Errorf("the image has no %s", user)
	}
	for what, ok := range map[string]bool{
		"runs as root":                  !*of.RunAsNonRoot,
		"any system call":               of.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault,
		"gains privileges":              *container.AllowPrivilegeEscalation || *container.Privileged,
		"writes":                        !*container.ReadOnlyRootFilesystem,
		"keeps capabilities":            !slices.Equal(container.Capabilities.Drop, []corev1.Capability{"ALL"}) || len(container.Capabilities.Add) > 0,
		"has a token":                   *pod.AutomountServiceAccountToken,
		"shares its machine":            pod.HostNetwork || pod.HostPID || pod.HostIPC,
		"connects elsewhere":            len(m.network.Spec.Egress) > 0 || !slices.Contains(m.network.Spec.PolicyTypes, networkingv1.PolicyTypeEgress),
		"namespace takes all":           m.namespace.Labels["pod-security.kubernetes.io/enforce"] != "restricted",
		"memory without a limit":        pod.Containers[0].Resources.Limits.Memory().Cmp(resource.MustParse("576Mi")) != 0,
		"no request for the autoscaler": pod.Containers[0].Resources.Requests.Cpu().IsZero(),
	} {
		if ok {
			t.Error(what)
		}
	}
}
